/** Evaluates a pattern against the index: for every segment the documents that may match, with a few statements for all of them. */

import { selectBlocks } from "../../store/search-index.ts";
import type { Inode } from "../../tree/inode.ts";
import type { ReadView } from "../../volume/views.ts";
import type { Clause } from "../regex/literals.ts";
import { SegmentQuery } from "./segment-query.ts";
import { type IndexSegment, type SegmentTable, slotColumn, slotGroup } from "./segment-table.ts";

/** Strings of all clauses together. */
const MAX_STRINGS = 24;
/** Each is one statement, and more if the blocks, of 32 KiB, are too many for memory. */
const MAX_TURNS = 6;
const MAX_BLOCKS = 128;

/** `empty`: proved to have no match. `unknown`: not covered by the index. */
export type Verdict = "empty" | "maybe" | "unknown";

export class IndexPlan {
  readonly #volume: ReadView;
  readonly #directory: SegmentTable;
  /** By segment: a bit for each document that may match; absent when all may. */
  readonly #maybe: ReadonlyMap<number, Uint8Array>;

  constructor(volume: ReadView, directory: SegmentTable, maybe: ReadonlyMap<number, Uint8Array>) {
    this.#volume = volume;
    this.#directory = directory;
    this.#maybe = maybe;
  }

  verdict(inode: Inode): Verdict {
    // A transaction was rolled back: numbers in the plan may refer to other contents now.
    if (this.#directory.epoch !== this.#volume.store.epochToken) return "unknown";
    const slot = this.#directory.slotOf(inode);
    if (slot < 0) return "unknown";
    const maybe = this.#maybe.get(slotGroup(slot));
    const column = slotColumn(slot);
    return maybe === undefined || ((maybe[column >> 3] as number) >> (column & 7)) & 1 ? "maybe" : "empty";
  }
}

export function planFor(volume: ReadView, clauses: readonly Clause[]): IndexPlan {
  const directory = volume.store.services.search.index.segments;
  const usable = usableClauses(clauses);
  const maybe = usable.length === 0 ? new Map() : ask(volume, [...directory.groups.values()], usable);
  return new IndexPlan(volume, directory, maybe);
}

/** The clauses whose strings all have a trigram; the longest first, as many as are worth querying. */
function usableClauses(clauses: readonly Clause[]): Clause[] {
  const usable = clauses.filter((clause) => clause.every((text) => text.length >= 3));
  usable.sort((a, b) => Math.min(...b.map((t) => t.length)) - Math.min(...a.map((t) => t.length)));
  const picked: Clause[] = [];
  let strings = 0;
  for (const clause of usable) {
    if (strings + clause.length > MAX_STRINGS) continue;
    strings += clause.length;
    picked.push(clause);
  }
  return picked;
}

function ask(volume: ReadView, groups: readonly IndexSegment[], clauses: readonly Clause[]): Map<number, Uint8Array> {
  const questions = groups.filter(({ bits }) => bits > 0).map((group) => new SegmentQuery(group, clauses));
  for (let open = questions, turn = 0; open.length > 0 && turn < MAX_TURNS; turn++) {
    const asking: { question: SegmentQuery; blocks: readonly number[] }[] = [];
    for (const question of open) {
      const blocks = question.next();
      if (blocks.length > 0) asking.push({ question, blocks });
    }
    for (const some of inSlices(asking)) {
      const blocks = selectBlocks(
        volume.store.db,
        some.flatMap((one) => one.blocks),
      );
      for (const { question } of some) question.take(blocks);
    }
    open = asking.map(({ question }) => question);
  }
  return new Map(questions.map(({ group, maybe }) => [group.id, maybe]));
}

/** As many at once as fit in memory. */
function* inSlices<T extends { readonly blocks: readonly number[] }>(asking: readonly T[]): Generator<readonly T[]> {
  let slice: T[] = [];
  let held = 0;
  for (const one of asking) {
    if (slice.length > 0 && held + one.blocks.length > MAX_BLOCKS) {
      yield slice;
      slice = [];
      held = 0;
    }
    slice.push(one);
    held += one.blocks.length;
  }
  if (slice.length > 0) yield slice;
}
