/** The lines of a patch one after the other, with their numbers. Bytes, since a patch holds files of any encoding. */

const LF = 10;

export class PatchReader {
  at = 0;
  /** Of the line at `at`, from 1. */
  line = 1;

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Where the line that begins at `at` ends, its "\n" included. */
  endOf(at = this.at): number {
    const end = this.bytes.indexOf(LF, at);
    return end < 0 ? this.bytes.length : end + 1;
  }

  /** The line with its "\n"; null at the end. */
  peek(): Uint8Array | null {
    return this.isAtEnd ? null : this.bytes.subarray(this.at, this.endOf());
  }

  skip(): void {
    this.at = this.endOf();
    this.line++;
  }

  startsWith(text: string, at = this.at): boolean {
    if (at + text.length > this.bytes.length) return false;
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /** The line's text without its "\n". */
  text(at = this.at): string {
    const end = this.endOf(at);
    const last = this.bytes[end - 1] === LF ? end - 1 : end;
    return decoder.decode(this.bytes.subarray(at, last));
  }
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
