/** Reads a pattern by code points, and reports the position of errors. */
import { FsError } from "../../api/errors.ts";

export class PatternCursor {
  readonly #codes: readonly string[];
  at = 0;

  /** `shift`: the number of generated characters at its start. */
  constructor(
    readonly pattern: string,
    readonly shift = 0,
  ) {
    this.#codes = [...pattern];
  }

  get done(): boolean {
    return this.at >= this.#codes.length;
  }

  /** The character here or `ahead` of here; "" beyond the end. */
  peek(ahead = 0): string {
    return this.#codes[this.at + ahead] ?? "";
  }

  next(): string {
    return this.#codes[this.at++] ?? "";
  }

  looksAt(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.peek(i) !== text[i]) return false;
    return true;
  }

  take(text: string): boolean {
    if (!this.looksAt(text)) return false;
    this.at += text.length;
    return true;
  }

  /** Reads up to the next `end`, and skips that; null when there is none. */
  takeUntil(end: string): string | null {
    const to = this.#codes.indexOf(end, this.at);
    if (to < 0) return null;
    const text = this.#codes.slice(this.at, to).join("");
    this.at = to + 1;
    return text;
  }

  /** In verbose mode, skips white space and comments. */
  skipSpace(verbose: boolean): void {
    if (!verbose) return;
    for (;;) {
      if (/^\p{White_Space}$/u.test(this.peek())) this.next();
      else if (this.peek() === "#") while (!this.done && this.next() !== "\n");
      else return;
    }
  }

  fail(reason: string, at = this.at): never {
    const written = this.shift === 0 ? this.pattern : this.pattern.slice(this.shift, -1);
    const position = Math.max(0, Math.min(at, this.#codes.length) - this.shift) + 1;
    throw badPattern(written, `${reason} (at character ${position})`);
  }
}

const SHOWN = 200;

export function badPattern(pattern: string, reason: string): FsError {
  const shown = pattern.length > SHOWN ? `${pattern.slice(0, SHOWN)}…` : pattern;
  return new FsError("EINVAL", { syscall: "grep", reason: `bad pattern ${JSON.stringify(shown)}: ${reason}` });
}
