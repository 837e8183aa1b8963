/** What the index says about a pattern: for every group the members that may match, found with one statement. */
import type { Inode } from "../../inode.ts";
import { blockId, selectBlocks } from "../../store/search-index.ts";
import type { Volume } from "../../volume.ts";
import type { Clause } from "../regex/literals.ts";
import { directoryOf, type Group, type IndexDirectory } from "./directory.ts";
import { bucketsOf } from "./trigrams.ts";

/** Trigrams of one string, strings of all clauses together. */
const MOST_TRIGRAMS = 8;
const MOST_STRINGS = 24;

/** `empty`: proved to have no match. `unknown`: not covered by the index. */
export type Verdict = "empty" | "maybe" | "unknown";

export class IndexPlan {
  readonly #volume: Volume;
  readonly #directory: IndexDirectory;
  /** By group: a bit for each member that may match; absent when all may. */
  readonly #maybe: ReadonlyMap<number, Uint8Array>;

  constructor(volume: Volume, clauses: readonly Clause[]) {
    this.#volume = volume;
    this.#directory = directoryOf(volume);
    const usable = usableClauses(clauses);
    this.#maybe = usable.length === 0 ? new Map() : ask(volume, [...this.#directory.groups.values()], usable);
  }

  verdict(inode: Inode): Verdict {
    // A transaction was taken back: numbers that the plan knows may mean other contents now.
    if (this.#directory.epoch !== this.#volume.epochToken) return "unknown";
    const slot = this.#directory.slotOf(inode);
    if (slot === undefined) return "unknown";
    const maybe = this.#maybe.get(slot.group.id);
    return maybe === undefined || ((maybe[slot.column >> 3] as number) >> (slot.column & 7)) & 1 ? "maybe" : "empty";
  }
}

/** Those all of whose strings have a trigram; the longest first, as many as are worth asking. */
function usableClauses(clauses: readonly Clause[]): Clause[] {
  const usable = clauses.filter((clause) => clause.every((text) => text.length >= 3));
  usable.sort((a, b) => Math.min(...b.map((t) => t.length)) - Math.min(...a.map((t) => t.length)));
  const picked: Clause[] = [];
  let strings = 0;
  for (const clause of usable) {
    if (strings + clause.length > MOST_STRINGS) continue;
    strings += clause.length;
    picked.push(clause);
  }
  return picked;
}

function ask(volume: Volume, groups: readonly Group[], clauses: readonly Clause[]): Map<number, Uint8Array> {
  const wanted = new Set<number>();
  const asked = groups
    .filter((group) => group.bits > 0)
    .map((group) => ({
      group,
      clauses: clauses.map((clause) => clause.map((text) => bucketsOf(text, group.bits, MOST_TRIGRAMS))),
    }));
  for (const { group, clauses: buckets } of asked)
    for (const bucket of buckets.flat(2)) wanted.add(blockId(group.id, Math.floor(bucket / group.perBlock)));
  const blocks = selectBlocks(volume.db, [...wanted]);
  const maybe = new Map<number, Uint8Array>();
  for (const { group, clauses: buckets } of asked) {
    const row = (bucket: number) => {
      const block = blocks.get(blockId(group.id, Math.floor(bucket / group.perBlock)));
      const at = (bucket % group.perBlock) * group.stride;
      return block?.subarray(at, at + group.stride);
    };
    maybe.set(
      group.id,
      allOf(
        group.stride,
        buckets.map((strings) =>
          anyOf(
            group.stride,
            strings.map((s) => allOf(group.stride, s.map(row))),
          ),
        ),
      ),
    );
  }
  return maybe;
}

/** A block that is missing excludes nobody. */
function allOf(stride: number, rows: readonly (Uint8Array | undefined)[]): Uint8Array {
  const all = new Uint8Array(stride).fill(0xff);
  for (const row of rows) for (let i = 0; row !== undefined && i < stride; i++) all[i]! &= row[i] as number;
  return all;
}

function anyOf(stride: number, rows: readonly Uint8Array[]): Uint8Array {
  const any = new Uint8Array(stride);
  for (const row of rows) for (let i = 0; i < stride; i++) any[i]! |= row[i] as number;
  return any;
}
