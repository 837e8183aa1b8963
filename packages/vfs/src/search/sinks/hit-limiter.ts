/**
 * Passes only the requested hits: none before the offset or cursor, and no more than `maxHits` or the size of an answer. Records
 * where it stopped. Context is buffered until its hit, so that none is left without one.
 */
import type { GrepQuery, GrepTruncation } from "@workspace/protocol";
import { searchLimits } from "../../api/limits.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { FileEnd, MatchedLine, MatchSink } from "../engine.ts";

export class HitLimiter implements MatchSink {
  readonly #inner: MatchSink;
  readonly #maxHits: number;
  readonly #resumed: { readonly path: string; readonly taken: number } | null;
  readonly pause?: MatchSink["pause"];
  #toSkip: number;
  #path = "";
  /** Hits of this file, including skipped ones. */
  #inFile = 0;
  #taken = 0;
  #bytes = 0;
  #open = false;
  #before: MatchedLine[] = [];
  #gap = false;
  #showAfter = false;
  #truncatedBy: GrepTruncation | null = null;
  #cursor: string | null = null;

  constructor(inner: MatchSink, query: GrepQuery) {
    this.#inner = inner;
    this.#maxHits = query.maxHits;
    this.#resumed = query.cursor === null ? null : decodeCursor(query.cursor);
    this.#toSkip = query.offset;
    if (inner.pause !== undefined) this.pause = () => inner.pause?.();
  }

  get truncatedBy(): GrepTruncation | null {
    return this.#truncatedBy;
  }

  get cursor(): string | null {
    return this.#cursor;
  }

  /** Where to resume when the engine stops early in this file. */
  cursorIn(path: string): string {
    return encodeCursor({ path, taken: path === this.#path ? this.#inFile : 0 });
  }

  begin(path: string): void {
    this.#path = path;
    this.#inFile = 0;
    this.#open = false;
    this.#gap = false;
    this.#showAfter = false;
  }

  matched(line: MatchedLine): true | false | "file" {
    const before = this.#before;
    this.#before = [];
    if (this.#isSkipped()) {
      this.#inFile++;
      this.#showAfter = false;
      this.#gap = false;
      return true;
    }
    const reason = this.#taken >= this.#maxHits ? "hits" : this.#bytes > searchLimits.answerBytes ? "output" : null;
    if (reason !== null) {
      this.#truncatedBy = reason;
      this.#cursor = this.cursorIn(this.#path);
      return false;
    }
    if (!this.#open) this.#inner.begin(this.#path);
    else if (this.#gap) this.#inner.gap();
    this.#open = true;
    this.#gap = false;
    for (const held of before) this.#report(held, "before");
    this.#inFile++;
    this.#taken++;
    this.#bytes += line.bytes.length + 100;
    this.#showAfter = true;
    return this.#inner.matched(line);
  }

  context(line: MatchedLine, kind: "before" | "after"): void {
    if (kind === "before") this.#before.push({ ...line, bytes: line.bytes.slice() });
    else if (this.#showAfter) this.#report(line, kind);
  }

  gap(): void {
    this.#gap = true;
  }

  end(file: FileEnd): boolean {
    // As ripgrep: context before an empty match after the last line is reported, though that is no hit.
    const skipped = this.#inFile + this.#toSkip > 0;
    if (this.#before.length > 0 && this.#truncatedBy === null && (this.#open || !skipped)) {
      if (!this.#open) this.#inner.begin(this.#path);
      this.#open = true;
      for (const held of this.#before) this.#report(held, "after");
    }
    this.#before = [];
    const goOn = this.#open ? this.#inner.end(file) : true;
    this.#open = false;
    return goOn;
  }

  #report(line: MatchedLine, kind: "before" | "after"): void {
    this.#bytes += line.bytes.length + 50;
    this.#inner.context(line, kind);
  }

  #isSkipped(): boolean {
    if (this.#resumed !== null && this.#path === this.#resumed.path && this.#inFile < this.#resumed.taken) return true;
    if (this.#toSkip === 0) return false;
    this.#toSkip--;
    return true;
  }
}
