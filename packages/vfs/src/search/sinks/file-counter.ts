/** Counts the hits of each file, for the modes that report no lines. Records where it stopped. */
import type { GrepFile, GrepQuery, GrepTruncation } from "@workspace/protocol";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type { FileEnd, MatchedLine, MatchSink } from "../engine.ts";

export class FileCounter implements MatchSink {
  readonly files: GrepFile[] = [];
  readonly #counts: boolean;
  readonly #maxFiles: number;
  /** The last file of the previous answer. */
  readonly #resumed: string | null;
  #toSkip: number;
  #path = "";
  #count = 0;
  #truncatedBy: GrepTruncation | null = null;

  constructor({ mode, maxHits, offset, cursor }: GrepQuery) {
    this.#counts = mode === "count";
    this.#maxFiles = maxHits;
    this.#toSkip = offset;
    this.#resumed = cursor === null || decodeCursor(cursor).taken === 0 ? null : decodeCursor(cursor).path;
  }

  get truncatedBy(): GrepTruncation | null {
    return this.#truncatedBy;
  }

  get cursor(): string | null {
    const last = this.files.at(-1);
    if (this.#truncatedBy === null) return null;
    return last === undefined ? this.cursorIn(this.#path) : encodeCursor({ path: last.path, taken: 1 });
  }

  cursorIn(path: string): string {
    return encodeCursor({ path, taken: 0 });
  }

  begin(path: string): void {
    this.#path = path;
    this.#count = 0;
  }

  matched({ ranges }: MatchedLine): true | false | "file" {
    if (this.#path === this.#resumed) return "file";
    if (this.#toSkip === 0 && this.files.length >= this.#maxFiles) {
      this.#truncatedBy = "hits";
      return false;
    }
    this.#count += Math.max(1, ranges.length / 2);
    return this.#counts ? true : "file";
  }

  context(): void {}

  gap(): void {}

  end({ stoppedAtBinary }: FileEnd): boolean {
    // As ripgrep: a file that turned out to be binary has no count.
    if (stoppedAtBinary && this.#counts) return true;
    if (this.#truncatedBy !== null || this.#count === 0) return this.#truncatedBy === null;
    if (this.#toSkip > 0) this.#toSkip--;
    else this.files.push({ path: this.#path, count: this.#counts ? this.#count : 1 });
    return true;
  }
}
