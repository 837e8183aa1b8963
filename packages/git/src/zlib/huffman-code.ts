/**
 * Builds the code of a deflate block from symbol frequencies exactly as zlib does, including ties: binary patches show it, so
 * the output must equal git's.
 */

const SIZE = 573;
const heap = new Int32Array(SIZE);
const depth = new Uint8Array(SIZE);
const parent = new Int32Array(SIZE);
const counts = new Int32Array(16);

/** Parameters of a kind of symbol: its extra bits and its fixed code. */
interface CodeKind {
  readonly symbols: number;
  readonly extra: readonly number[];
  readonly extraBase: number;
  readonly longest: number;
  readonly fixedLengths: Uint8Array | null;
}

export class HuffmanCode {
  /** Frequency of each symbol; callers update it. */
  readonly frequency: Uint32Array;
  readonly length: Uint8Array;
  readonly code: Uint16Array;
  /** The highest symbol that occurs. */
  max = 0;
  /** Size of the block in bits with this code, and with the fixed one. */
  bits = 0;
  fixedBits = 0;
  readonly #kind: CodeKind;
  readonly #frequency: Uint32Array;
  readonly #length: Uint8Array;

  constructor(kind: CodeKind) {
    this.#kind = kind;
    this.#frequency = new Uint32Array(kind.symbols * 2 + 1);
    this.frequency = this.#frequency.subarray(0, kind.symbols);
    this.#length = new Uint8Array(kind.symbols * 2 + 1);
    this.length = this.#length.subarray(0, kind.symbols + 1);
    this.code = new Uint16Array(kind.symbols);
  }

  build(): void {
    const { symbols, fixedLengths } = this.#kind;
    const frequency = this.#frequency;
    let size = 0;
    this.max = -1;
    this.bits = 0;
    this.fixedBits = 0;
    for (let symbol = 0; symbol < symbols; symbol++) {
      if (frequency[symbol] === 0) {
        this.#length[symbol] = 0;
        continue;
      }
      heap[++size] = this.max = symbol;
      depth[symbol] = 0;
    }
    // At least two codes: a decoder expects them.
    while (size < 2) {
      const symbol = this.max < 2 ? ++this.max : 0;
      heap[++size] = symbol;
      frequency[symbol] = 1;
      depth[symbol] = 0;
      this.bits--;
      if (fixedLengths !== null) this.fixedBits -= fixedLengths[symbol] as number;
    }
    for (let at = size >> 1; at >= 1; at--) this.#sink(at, size);
    const last = this.#join(size);
    this.#lengths(last);
    this.#codes();
  }

  /** Merges the two rarest repeatedly; `heap[last..]` is then every node, the rarest last. */
  #join(first: number): number {
    const frequency = this.#frequency;
    let size = first;
    let node = this.#kind.symbols;
    let last = SIZE;
    do {
      const rarest = heap[1] as number;
      heap[1] = heap[size--] as number;
      this.#sink(1, size);
      const next = heap[1] as number;
      heap[--last] = rarest;
      heap[--last] = next;
      frequency[node] = (frequency[rarest] as number) + (frequency[next] as number);
      depth[node] = Math.max(depth[rarest] as number, depth[next] as number) + 1;
      parent[rarest] = parent[next] = node;
      heap[1] = node++;
      this.#sink(1, size);
    } while (size >= 2);
    heap[--last] = heap[1] as number;
    return last;
  }

  #sink(from: number, size: number): void {
    const moved = heap[from] as number;
    let at = from;
    for (let child = at << 1; child <= size; child <<= 1) {
      if (child < size && this.#before(heap[child + 1] as number, heap[child] as number)) child++;
      if (this.#before(moved, heap[child] as number)) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = moved;
  }

  #before(a: number, b: number): boolean {
    const x = this.#frequency[a] as number;
    const y = this.#frequency[b] as number;
    return x < y || (x === y && (depth[a] as number) <= (depth[b] as number));
  }

  #lengths(first: number): void {
    const { extra, extraBase, longest, fixedLengths } = this.#kind;
    const frequency = this.#frequency;
    const length = this.#length;
    counts.fill(0);
    length[heap[first] as number] = 0;
    let tooLong = 0;
    for (let at = first + 1; at < SIZE; at++) {
      const node = heap[at] as number;
      let bits = (length[parent[node] as number] as number) + 1;
      if (bits > longest) {
        bits = longest;
        tooLong++;
      }
      length[node] = bits;
      if (node > this.max) continue;
      (counts[bits] as number)++;
      const more = node >= extraBase ? (extra[node - extraBase] as number) : 0;
      this.bits += (frequency[node] as number) * (bits + more);
      if (fixedLengths !== null)
        this.fixedBits += (frequency[node] as number) * ((fixedLengths[node] as number) + more);
    }
    if (tooLong > 0) this.#shorten(tooLong);
  }

  /** Codes over the maximum length replace others, which become longer. */
  #shorten(tooLong: number): void {
    const { longest } = this.#kind;
    for (let left = tooLong; left > 0; left -= 2) {
      let bits = longest - 1;
      while (counts[bits] === 0) bits--;
      (counts[bits] as number)--;
      (counts[bits + 1] as number) += 2;
      (counts[longest] as number)--;
    }
    let at = SIZE;
    for (let bits = longest; bits > 0; bits--) {
      for (let left = counts[bits] as number; left > 0; ) {
        const node = heap[--at] as number;
        if (node > this.max) continue;
        const before = this.#length[node] as number;
        if (before !== bits) {
          this.bits += (bits - before) * (this.#frequency[node] as number);
          this.#length[node] = bits;
        }
        left--;
      }
    }
  }

  #codes(): void {
    const next = new Uint16Array(16);
    let code = 0;
    for (let bits = 1; bits <= 15; bits++) {
      code = (code + (counts[bits - 1] as number)) << 1;
      next[bits] = code;
    }
    for (let symbol = 0; symbol <= this.max; symbol++) {
      const bits = this.#length[symbol] as number;
      if (bits > 0) this.code[symbol] = reverseBits((next[bits] as number)++, bits);
    }
  }
}

export function reverseBits(code: number, length: number): number {
  let from = code;
  let reversed = 0;
  for (let i = 0; i < length; i++) {
    reversed = (reversed << 1) | (from & 1);
    from >>>= 1;
  }
  return reversed;
}
