/**
 * Makes hits of what an engine finds. Context lines go where they are told: behind the hit before them, or before the next.
 * Given to `take` one by one, when nothing more can be added to them.
 */
import type { GrepContextLine, GrepHit, GrepQuery } from "@workspace/protocol";
import type { FileEnd, FoundLine, MatchSink } from "../engine.ts";
import { MOST_RANGES } from "../searcher/ranges.ts";
import { lineText } from "./line-text.ts";

/** False: enough. */
export type TakeHit = (hit: GrepHit) => boolean;

export class HitCollector implements MatchSink {
  readonly #most: number;
  readonly #take: TakeHit;
  readonly pause?: MatchSink["pause"];
  #path = "";
  #hit: GrepHit | null = null;
  #before: GrepContextLine[] = [];
  #enough = false;

  constructor({ maxBytesPerLine }: GrepQuery, take: TakeHit, pause?: MatchSink["pause"]) {
    this.#most = maxBytesPerLine;
    this.#take = take;
    if (pause !== undefined) this.pause = pause;
  }

  begin(path: string): void {
    this.#path = path;
  }

  matched({ number, offset, bytes, ranges }: FoundLine): boolean {
    this.#flush();
    if (this.#enough) return false;
    const shown = lineText(bytes, this.#most);
    const cut = shown.cut ?? ranges.length >= 2 * MOST_RANGES;
    this.#hit = {
      path: this.#path,
      line: number,
      text: shown.text,
      column: (ranges[0] ?? 0) + 1,
      offset,
      ranges: pairs(ranges),
      ...(cut && { cut: true as const }),
      before: this.#before,
      after: [],
    };
    this.#before = [];
    return true;
  }

  context({ number, bytes }: FoundLine, kind: "before" | "after"): void {
    const line = { line: number, ...lineText(bytes, this.#most) };
    if (kind === "after" && this.#hit !== null) this.#hit.after.push(line);
    else this.#before.push(line);
  }

  gap(): void {}

  end(_file: FileEnd): boolean {
    this.#flush();
    this.#before = [];
    return !this.#enough;
  }

  #flush(): void {
    if (this.#hit === null) return;
    if (!this.#take(this.#hit)) this.#enough = true;
    this.#hit = null;
  }
}

function pairs(flat: readonly number[]): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (let i = 0; i < flat.length; i += 2) ranges.push({ start: flat[i] as number, end: flat[i + 1] as number });
  return ranges;
}
