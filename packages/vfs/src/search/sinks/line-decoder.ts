/**
 * Decodes lines to text; everything before this is bytes. Lines are collected and decoded many at once, because calling the decoder
 * costs more than decoding a line. Only these lines are collected, so a retained text retains no file in memory.
 */

/** The target of the text. */
export interface Shown {
  text: string;
}

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const LF = 0x0a;
const GATHERED_BYTES = 16 * 1024;

export class LineDecoder {
  readonly #max: number;
  #gathered: Uint8Array | null = null;
  #used = 0;
  readonly #waiting: Shown[] = [];
  readonly #ends: number[] = [];

  /** `max`: maximum bytes shown per line. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Sets the text at the latest when `settle` is called: the line without its last line ending, at most the maximum number of
   * bytes, in whole characters. Returns whether it is cut.
   */
  put(bytes: Uint8Array, into: Shown): boolean {
    const whole = bytes.length > 0 && bytes[bytes.length - 1] === LF ? bytes.length - 1 : bytes.length;
    let end = whole;
    if (whole > this.#max) {
      end = this.#max;
      while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--;
    }
    if (end > GATHERED_BYTES) into.text = decoder.decode(bytes.subarray(0, end));
    else this.#gather(bytes, end, into);
    return end < whole;
  }

  settle(): void {
    if (this.#waiting.length === 0) return;
    const gathered = (this.#gathered as Uint8Array).subarray(0, this.#used);
    const text = decoder.decode(gathered);
    // No character has more units than bytes: if the lengths are equal, each byte is one unit, and line positions are unchanged.
    const aligned = text.length === gathered.length;
    let start = 0;
    for (let i = 0; i < this.#waiting.length; i++) {
      const end = this.#ends[i] as number;
      const shown = this.#waiting[i] as Shown;
      shown.text = aligned ? text.slice(start, end) : decoder.decode(gathered.subarray(start, end));
      start = end;
    }
    this.#waiting.length = 0;
    this.#ends.length = 0;
    this.#used = 0;
  }

  #gather(bytes: Uint8Array, length: number, into: Shown): void {
    if (this.#used + length > GATHERED_BYTES) this.settle();
    // With room for a line ending, which is copied along and written over.
    this.#gathered ??= new Uint8Array(GATHERED_BYTES + 1);
    this.#gathered.set(bytes.length > length + 1 ? bytes.subarray(0, length) : bytes, this.#used);
    this.#used += length;
    this.#waiting.push(into);
    this.#ends.push(this.#used);
  }
}
