/**
 * Builds hits from the matches of an engine. Context lines are attached in order: after the previous hit, or before the next.
 * Passes hits to `take` in order, many at a time, once they are complete; the last when `finish` is called.
 */
import type { GrepContextLine, GrepHit, GrepQuery, GrepRange } from "@workspace/protocol";
import type { FileEnd, MatchedLine, MatchSink } from "../engine.ts";
import { hasTooMany, reportedRanges } from "../searcher/ranges.ts";
import { LineDecoder } from "./line-decoder.ts";

/** False: stop. */
export type TakeHit = (hit: GrepHit) => boolean;

/** Hits whose texts are not decoded yet. */
const MAX_WAITING = 500;

export class HitCollector implements MatchSink {
  readonly #texts: LineDecoder;
  readonly #take: TakeHit;
  readonly pause?: MatchSink["pause"];
  #path = "";
  #waiting: GrepHit[] = [];
  /** The last pending hit, while it may get more context. */
  #last: GrepHit | null = null;
  #before: GrepContextLine[] = [];
  #enough = false;

  constructor({ maxBytesPerLine }: GrepQuery, take: TakeHit, pause?: MatchSink["pause"]) {
    this.#texts = new LineDecoder(maxBytesPerLine);
    this.#take = take;
    if (pause !== undefined)
      this.pause = () => {
        this.#give();
        return pause();
      };
  }

  begin(path: string): void {
    this.#path = path;
  }

  matched({ number, offset, bytes, ranges }: MatchedLine): boolean {
    this.#last = null;
    if (this.#waiting.length >= MAX_WAITING) this.#give();
    if (this.#enough) return false;
    const hit: GrepHit = {
      path: this.#path,
      line: number,
      text: "",
      column: (ranges[0] ?? 0) + 1,
      offset,
      ranges: pairs(ranges),
      before: this.#before,
      after: [],
    };
    if (this.#texts.put(bytes, hit) || hasTooMany(ranges)) hit.cut = true;
    this.#waiting.push(hit);
    this.#last = hit;
    this.#before = [];
    return true;
  }

  context({ number, bytes }: MatchedLine, kind: "before" | "after"): void {
    const line: GrepContextLine = { line: number, text: "" };
    if (this.#texts.put(bytes, line)) line.cut = true;
    if (kind === "after" && this.#last !== null) this.#last.after.push(line);
    else this.#before.push(line);
  }

  gap(): void {}

  end(_file: FileEnd): boolean {
    this.#last = null;
    this.#before = [];
    return !this.#enough;
  }

  /** The search is over. */
  finish(): void {
    this.#last = null;
    this.#give();
  }

  #give(): void {
    if (this.#waiting.length === 0) return;
    this.#texts.settle();
    const given = this.#waiting;
    this.#waiting = this.#last === null ? [] : [this.#last];
    if (this.#last !== null) given.pop();
    for (const hit of given) if (!this.#enough && !this.#take(hit)) this.#enough = true;
  }
}

function pairs(flat: readonly number[]): GrepRange[] {
  if (flat.length === 0) return [];
  // Usually there is one, and an array that is pushed to allocates for many.
  const ranges = [{ start: flat[0] as number, end: flat[1] as number }];
  const reported = reportedRanges(flat);
  for (let i = 2; i < reported; i += 2) ranges.push({ start: flat[i] as number, end: flat[i + 1] as number });
  return ranges;
}
