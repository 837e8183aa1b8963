/**
 * `--ignore-rev`: guesses which lines of the parent the lines of an ignored change derive from. Similarity is the number of shared
 * pairs of letters, ignoring case and white space. The line with the most certain match is settled first; its shared pairs are
 * removed from the source, and lines before and after it match only before and after that source.
 */
import { lineBytes, type TextLines } from "@workspace/text";

/** Number of parent lines compared on either side of a line's proportional position. */
const REACH = 10;
/** Minimum number of shared pairs for a match outside the change's own source. */
const MIN_ELSEWHERE = 10;
const UNKNOWN = -1;
const HOPELESS = -2;

export interface LineSpan {
  readonly start: number;
  readonly count: number;
}

type Pairs = Map<number, number>;

export class LineGuesser {
  readonly #before: readonly Pairs[];
  readonly #after: readonly Pairs[];

  constructor(before: TextLines, after: TextLines) {
    this.#before = pairsOf(before);
    this.#after = pairsOf(after);
  }

  /** For each line of `created`, the line of the parent it derives from, in `source` if possible; -1: none. */
  guess(source: LineSpan, created: LineSpan): Int32Array {
    const slice = (all: readonly Pairs[], { start, count }: LineSpan) => all.slice(start, start + count);
    const guesses = new Int32Array(created.count).fill(-1);
    if (source.count > 0) new Guess(slice(this.#before, source), slice(this.#after, created), guesses).run();
    return guesses.map((guess, at) => (guess < 0 ? this.#elsewhere(created.start + at) : source.start + guess));
  }

  #elsewhere(line: number): number {
    let [best, bestAt] = [MIN_ELSEWHERE, -1];
    for (const [at, source] of this.#before.entries()) {
      const matchMask = shared(this.#after[line] as Pairs, source);
      if (matchMask < best) continue;
      if (matchMask === best && bestAt >= 0 && Math.abs(bestAt - line) < Math.abs(at - line)) continue;
      [best, bestAt] = [matchMask, at];
    }
    return bestAt;
  }
}

function shared(line: Pairs, source: Pairs): number {
  let count = 0;
  for (const [pair, times] of line) count += Math.min(times, source.get(pair) ?? 0);
  return count;
}

function pairsOf(text: TextLines): Pairs[] {
  return Array.from({ length: text.count }, (_, i) => {
    const pairs: Pairs = new Map();
    let last = 0;
    for (const byte of lineBytes(text, i)) {
      const isBlank = byte === 32 || (byte >= 9 && byte <= 13);
      const letter = isBlank ? 0 : byte >= 65 && byte <= 90 ? byte + 32 : byte;
      const pair = (last << 8) | letter;
      if (pair !== 0) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      last = letter;
    }
    return pairs;
  });
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly sourceFrom: number;
  readonly sourceTo: number;
}

class Guess {
  readonly #reach: number;
  /** Indexed by line and offset within its reach; -1: not compared yet. */
  readonly #matchMask: Int32Array;
  readonly #certainty: Float64Array;
  readonly #second: Int32Array;

  constructor(
    private readonly sources: readonly Pairs[],
    private readonly lines: readonly Pairs[],
    private readonly best: Int32Array,
  ) {
    this.#reach = Math.min(REACH, sources.length - 1);
    this.#matchMask = new Int32Array(lines.length * (2 * this.#reach + 1)).fill(-1);
    this.#certainty = new Float64Array(lines.length).fill(UNKNOWN);
    this.#second = new Int32Array(lines.length).fill(-1);
  }

  run(): void {
    const parts: Part[] = [{ from: 0, to: this.lines.length, sourceFrom: 0, sourceTo: this.sources.length }];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const line = this.#clearest(part);
      if (line < 0) continue;
      const source = this.best[line] as number;
      this.#settle(line, source, part);
      parts.push({ ...part, from: line + 1, sourceFrom: source }, { ...part, to: line, sourceTo: source + 1 });
    }
  }

  /** -1: no line in this part has a match. */
  #clearest(part: Part): number {
    let [clearest, max] = [-1, -1];
    for (let line = part.from; line < part.to; line++) {
      if (this.#certainty[line] === UNKNOWN) this.#judge(line, part);
      if ((this.#certainty[line] as number) > max) {
        max = this.#certainty[line] as number;
        clearest = line;
      }
    }
    return clearest;
  }

  #judge(line: number, { sourceFrom, sourceTo }: Part): void {
    const near = this.#nearest(line);
    let [best, second, bestAt, secondAt] = [0, 0, -1, -1];
    const from = Math.max(sourceFrom, near - this.#reach);
    const to = Math.min(sourceTo, near + this.#reach + 1);
    for (let at = from; at < to; at++) {
      // Prefers the nearer of two equally similar lines.
      const matchMask = this.#compare(line, at, near) * (1000 - Math.abs(at - near));
      if (matchMask > best) [second, secondAt, best, bestAt] = [best, bestAt, matchMask, at];
      else if (matchMask > second) [second, secondAt] = [matchMask, at];
    }
    this.best[line] = bestAt;
    this.#second[line] = secondAt;
    this.#certainty[line] = bestAt < 0 ? HOPELESS : 2 * best - second;
  }

  #nearest(line: number): number {
    return Math.floor(((2 * line + 1) * this.sources.length) / (2 * this.lines.length));
  }

  #compare(line: number, at: number, near: number): number {
    const position = line * (2 * this.#reach + 1) + at - near + this.#reach;
    if (this.#matchMask[position] === -1) {
      this.#matchMask[position] = shared(this.lines[line] as Pairs, this.sources[at] as Pairs);
    }
    return this.#matchMask[position] as number;
  }

  /** Invalidates the matches of other lines in this source, or beyond it. */
  #settle(line: number, source: number, part: Part): void {
    const left = this.sources[source] as Pairs;
    for (const [pair, count] of this.lines[line] as Pairs) {
      const had = left.get(pair);
      if (had === undefined) continue;
      if (had > count) left.set(pair, had - count);
      else left.delete(pair);
    }
    const isNear = (other: number) => Math.abs(source - this.#nearest(other)) <= 2 * this.#reach;
    for (let other = line - 1; other >= part.from && isNear(other); other--) {
      this.#forget(other, source, Math.max(this.best[other] as number, this.#second[other] as number) >= source);
    }
    for (let other = line + 1; other < part.to && isNear(other); other++) {
      const second = this.#second[other] as number;
      this.#forget(other, source, (this.best[other] as number) <= source || (second >= 0 && second <= source));
    }
  }

  #forget(line: number, source: number, isBeyond: boolean): void {
    const near = this.#nearest(line);
    const place = source - near + this.#reach;
    if (place >= 0 && place <= 2 * this.#reach) this.#matchMask[line * (2 * this.#reach + 1) + place] = -1;
    if (isBeyond && (this.#certainty[line] as number) >= 0) this.#certainty[line] = UNKNOWN;
  }
}
