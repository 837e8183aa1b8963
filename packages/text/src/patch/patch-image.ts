/**
 * The text while hunks are applied: lines are numbers, those of the text from 0 up, those that a hunk added from -1 down. They
 * are in two stacks that meet at the last hunk: hunks come in order, so the next one is near.
 */
import { joinBytes } from "../join-bytes.ts";
import { lineBytes, splitLines, type TextLines } from "../text-lines.ts";
import { PatchError } from "./file-patch.ts";

export class PatchImage {
  steps = 0;
  readonly #text: TextLines;
  readonly #maxSteps: number;
  readonly #put: Uint8Array[] = [];
  readonly #above: number[] = [];
  /** From the last line up. */
  readonly #below: number[] = [];

  constructor(content: Uint8Array, maxSteps: number) {
    this.#text = splitLines(content);
    this.#maxSteps = maxSteps;
    for (let i = this.#text.count - 1; i >= 0; i--) this.#below.push(i);
  }

  get count(): number {
    return this.#above.length + this.#below.length;
  }

  isPatched(index: number): boolean {
    return this.#lineAt(index) < 0;
  }

  #lineAt(index: number): number {
    const above = this.#above.length;
    return (index < above ? this.#above[index] : this.#below[this.#below.length - 1 - (index - above)]) as number;
  }

  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > this.#maxSteps) throw new PatchError("the hunks are too many, or too far from their lines", 0);
  }

  line(index: number): Uint8Array {
    const line = this.#lineAt(index);
    return line < 0 ? (this.#put[-1 - line] as Uint8Array) : lineBytes(this.#text, line);
  }

  isLine(index: number, text: Uint8Array): boolean {
    this.spend(1);
    const line = this.#lineAt(index);
    if (line < 0) return equalBytes(this.#put[-1 - line] as Uint8Array, text);
    const { bytes, starts } = this.#text;
    const start = starts[line] as number;
    if ((starts[line + 1] as number) - start !== text.length) return false;
    this.spend(text.length >>> 4);
    for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text[i]) return false;
    return true;
  }

  replace(at: number, count: number, texts: readonly Uint8Array[]): void {
    this.spend(Math.abs(this.#above.length - at) + texts.length);
    while (this.#above.length > at) this.#below.push(this.#above.pop() as number);
    while (this.#above.length < at) this.#above.push(this.#below.pop() as number);
    this.#below.length = Math.max(this.#below.length - count, 0);
    for (const text of texts) this.#above.push(-this.#put.push(text));
  }

  /** Copies runs of consecutive lines at once. */
  content(): Uint8Array {
    const parts: Uint8Array[] = [];
    const { bytes, starts } = this.#text;
    for (let i = 0; i < this.count; ) {
      const first = this.#lineAt(i);
      if (first < 0) {
        parts.push(this.#put[-1 - first] as Uint8Array);
        i++;
        continue;
      }
      let last = first;
      while (this.#lineAt(++i) === last + 1) last++;
      parts.push(bytes.subarray(starts[first], starts[last + 1]));
    }
    return joinBytes(parts);
  }
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
