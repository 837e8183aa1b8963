/**
 * Builds the index, segment by segment: reads contents of one size class, hashes their trigrams into a bit table, and writes it in
 * one transaction. Few contents get no segment (searching them is faster than looking up bits), and small segments are merged when
 * they become many, so that a segment is never mostly padding and a search queries few of them.
 */
import { isolatePool } from "../../cache/memory-pool.ts";
import type { Database } from "../../db/database.ts";
import { deleteGroups, insertSegment, selectExisting } from "../../store/search-index.ts";
import { hashStep, nextStep, STEP_BYTES, type UnindexedContent } from "./hash-contents.ts";
import type { SearchIndex } from "./search-index.ts";
import { type SegmentTable, shapeOf } from "./segment-table.ts";
import { bitsFor, MAX_SIZE, MIN_SIZE } from "./trigrams.ts";

/** Bytes of a segment's table. */
const TABLE_BYTES = 4 * 1024 * 1024;
const MAX_MEMBERS = 2048;
/** A segment needs this many documents, or this many bytes without being mostly padding. */
const MIN_MEMBERS = 32;
const MIN_BYTES = 1024 * 1024;
const MAX_SHARE = 0.3;
/** Number of small segments of one class before they are merged. */
const MANY = 8;

/**
 * Indexes pending contents until `budget` bytes are hashed, with a pause between steps; returns how many were. Stops when a
 * transaction is open or rolled back.
 */
export async function buildIndex(
  index: SearchIndex,
  pending: Iterable<UnindexedContent>,
  budget: number,
  pause: () => Promise<void> = nextTurn,
): Promise<number> {
  const classes = byClass(pending);
  let hashed = 0;
  for (const [bits, members] of classes) {
    for (let from = 0; from < members.length && hashed < budget; ) {
      const { small, contents } = smallGroups(index.segments, bits);
      const old = alive(index.store.ensureOpen().db, contents);
      const some = [...old, ...members.slice(from)].slice(0, maxMembers(bits));
      if (small.length === 0 && !isWorthwhile(bits, some)) break;
      const bytes = await buildGroup(index, bits, some, small, pause);
      if (bytes === null) return hashed;
      hashed += bytes;
      from += Math.max(0, some.length - old.length);
    }
  }
  return hashed;
}

function maxMembers(bits: number): number {
  return Math.min(MAX_MEMBERS, Math.floor((TABLE_BYTES * 8) / 2 ** bits));
}

function isWorthwhile(bits: number, members: readonly UnindexedContent[]): boolean {
  if (members.length >= MIN_MEMBERS) return true;
  const bytes = members.reduce((sum, { size }) => sum + size, 0);
  return bytes >= MIN_BYTES && 2 ** bits * Math.ceil(members.length / 8) <= bytes * MAX_SHARE;
}

function byClass(pending: Iterable<UnindexedContent>): Map<number, UnindexedContent[]> {
  const classes = new Map<number, Map<number, UnindexedContent>>();
  for (const { content, size } of pending) {
    if (content === 0 || size < MIN_SIZE || size > MAX_SIZE) continue;
    const bits = bitsFor(size);
    const members = classes.get(bits) ?? new Map<number, UnindexedContent>();
    // For a content that several files share in part, the longest part.
    if ((members.get(content)?.size ?? 0) < size) members.set(content, { content, size });
    classes.set(bits, members);
  }
  return new Map([...classes].map(([bits, members]) => [bits, [...members.values()]]));
}

/** The segments of a class to merge, if they are many. */
function smallGroups(directory: SegmentTable, bits: number): { small: number[]; contents: UnindexedContent[] } {
  const max = maxMembers(bits);
  const small = [...directory.groups.values()].filter((g) => g.bits === bits && g.documents.length < max);
  if (small.length < MANY) return { small: [], contents: [] };
  const contents: UnindexedContent[] = [];
  for (const { documents } of small)
    for (let i = 0; i < documents.length; i += 2)
      contents.push({ content: documents[i] as number, size: documents[i + 1] as number });
  return { small: small.map((group) => group.id), contents };
}

function alive(db: Database, contents: readonly UnindexedContent[]): UnindexedContent[] {
  if (contents.length === 0) return [];
  const existing = selectExisting(
    db,
    contents.map(({ content }) => content),
  );
  return contents.filter(({ content }) => existing.has(content));
}

/** Returns the bytes hashed; null when the result could not be stored. */
async function buildGroup(
  index: SearchIndex,
  bits: number,
  members: readonly UnindexedContent[],
  replaced: readonly number[],
  pause: () => Promise<void>,
): Promise<number | null> {
  using _lease = await isolatePool.lease(TABLE_BYTES + STEP_BYTES);
  const { store } = index;
  const { epochToken, revisions } = store.ensureOpen();
  const { head } = revisions;
  const stride = Math.ceil(members.length / 8);
  const table = new Uint8Array(2 ** bits * stride);
  const covered = new Float64Array(members.length * 2);
  const refused: number[] = [];
  let hashed = 0;
  const place = { table, bits, stride };
  for (let from = 0; from < members.length; ) {
    const step = nextStep(members, from);
    for (const [i, outcome] of (await hashStep(store, step, place, from, pause)).entries()) {
      const { content, size } = step[i] as UnindexedContent;
      if (outcome === "covered") covered.set([content, size], (from + i) * 2);
      else if (outcome === "refused") refused.push(content, size);
      if (outcome !== "gone") hashed += size;
    }
    from += step.length;
    await pause();
    if (store.ensureOpen().epochToken !== epochToken) return null;
  }
  if (store.db.inTransaction) return null;
  const directory = index.segments;
  const id = directory.nextId;
  const group = { id, bits, rev: head, documents: covered };
  const rest = { id: id + 1, bits: 0, rev: head, documents: Float64Array.from(refused) };
  const { perBlock } = shapeOf(group);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < table.length; at += perBlock * stride) blocks.push(table.subarray(at, at + perBlock * stride));
  store.db.transaction(() => {
    insertSegment(store.db, group, blocks);
    if (refused.length > 0) insertSegment(store.db, rest, []);
    deleteGroups(store.db, replaced);
  });
  directory.remove(replaced);
  directory.add(group);
  if (refused.length > 0) directory.add(rest);
  return hashed;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
