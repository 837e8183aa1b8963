/**
 * Queries one segment of the index: a few trigrams of each string at a time, the rarest first, as long as reading more bits costs
 * less than reading the contents that may still match. The first few decide most strings; a string of common trigrams needs nearly
 * all.
 */
import { blockId } from "../../store/search-index.ts";
import type { Clause } from "../regex/literals.ts";
import type { IndexSegment } from "./segment-table.ts";
import { bucketsOf } from "./trigrams.ts";

/** Trigrams per string, queried at once. */
const TRIGRAMS = 8;
/** If a turn leaves more than this share, the pattern consists of common trigrams, and the next turn would do no better. */
const MAX_LEFT = 0.75;

interface LiteralBits {
  readonly buckets: readonly number[];
  /** A bit for each document that has everything queried so far. */
  readonly bits: Uint8Array;
}

export class SegmentQuery {
  readonly group: IndexSegment;
  /** Documents that may match: for every clause they may have one of its strings. */
  readonly maybe: Uint8Array;
  readonly #clauses: readonly (readonly LiteralBits[])[];
  /** Offset of the next buckets to read. */
  #offset = 0;
  /** Approximate bytes of the documents that may match. */
  #bytes: number;
  #pays = true;

  constructor(group: IndexSegment, clauses: readonly Clause[]) {
    this.group = group;
    const all = () => new Uint8Array(group.stride).fill(0xff);
    this.maybe = all();
    this.#clauses = clauses.map((clause) =>
      clause.map((text) => ({ buckets: bucketsOf(text, group.bits), bits: all() })),
    );
    let bytes = 0;
    for (let i = 1; i < group.documents.length; i += 2) bytes += group.documents[i] as number;
    this.#bytes = bytes;
  }

  /** The blocks to read next; none when that is not worthwhile, or nothing is left to query. */
  next(): readonly number[] {
    const { id, bits, perBlock, stride } = this.group;
    const blockBytes = Math.min(perBlock, 2 ** bits) * stride;
    const blocks = new Set<number>();
    for (const { buckets } of this.#clauses.flat())
      for (const bucket of this.#turnOf(buckets)) blocks.add(blockId(id, Math.floor(bucket / perBlock)));
    return this.#pays && blocks.size * blockBytes <= this.#bytes ? [...blocks] : [];
  }

  /** A missing block excludes no document. */
  take(blocks: ReadonlyMap<number, Uint8Array>): void {
    const { id, perBlock, stride } = this.group;
    for (const { buckets, bits } of this.#clauses.flat()) {
      for (const bucket of this.#turnOf(buckets)) {
        const block = blocks.get(blockId(id, Math.floor(bucket / perBlock)));
        if (block === undefined) continue;
        const at = (bucket % perBlock) * stride;
        for (let i = 0; i < stride; i++) bits[i]! &= block[at + i] as number;
      }
    }
    this.#offset += TRIGRAMS;
    const before = countBits(this.maybe);
    for (const strings of this.#clauses)
      for (let i = 0; i < stride; i++)
        this.maybe[i]! &= strings.reduce((any, { bits }) => any | (bits[i] as number), 0);
    const left = before === 0 ? 0 : countBits(this.maybe) / before;
    this.#bytes *= left;
    this.#pays = left <= MAX_LEFT;
  }

  #turnOf(buckets: readonly number[]): readonly number[] {
    return buckets.slice(this.#offset, this.#offset + TRIGRAMS);
  }
}

function countBits(bytes: Uint8Array): number {
  let count = 0;
  for (let bits of bytes) for (; bits !== 0; bits &= bits - 1) count++;
  return count;
}
