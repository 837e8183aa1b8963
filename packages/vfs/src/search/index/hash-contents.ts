/** Hashes contents into a bit table, step by step: many small ones, or one large one in parts, so that memory use stays small. */

import { FsError } from "../../api/errors.ts";
import type { ContentReader } from "../../content/reader.ts";
import { selectRows } from "../../store/search-contents.ts";
import type { ReadView } from "../../volume/views.ts";
import { isUnindexable, markTrigrams } from "./trigrams.ts";

/** A content to be indexed: the first `size` bytes of it. */
export interface UnindexedContent {
  readonly content: number;
  readonly size: number;
}

/** Content hashed between two pauses. */
export const STEP_BYTES = 1024 * 1024;
/** Overlap of parts: a trigram across a border has at most two bytes in one part. */
const OVERLAP = 2;

/** Returns the documents to hash in one step; a very large one alone. */
export function nextStep(members: readonly UnindexedContent[], from: number): UnindexedContent[] {
  const step: UnindexedContent[] = [];
  let bytes = 0;
  for (let i = from; i < members.length; i++) {
    const member = members[i] as UnindexedContent;
    bytes += member.size;
    if (step.length > 0 && bytes > STEP_BYTES) break;
    step.push(member);
  }
  return step;
}

/** `gone`: collected since it was seen, so no query will use its column. */
export type HashOutcome = "covered" | "refused" | "gone";

/** The target of the bits. */
export interface BitMatrix {
  readonly table: Uint8Array;
  readonly bits: number;
  readonly stride: number;
}

/** The outcome of each content of a step; the first of them has this column. */
export async function hashStep(
  volume: ReadView,
  step: readonly UnindexedContent[],
  place: BitMatrix,
  column: number,
  pause: () => Promise<void>,
): Promise<HashOutcome[]> {
  const first = step[0] as UnindexedContent;
  if (first.size > STEP_BYTES) return [await hashInParts(volume, first, place, column, pause)];
  return hashAtOnce(volume, step, place, column);
}

function hashAtOnce(
  volume: ReadView,
  step: readonly UnindexedContent[],
  place: BitMatrix,
  column: number,
): HashOutcome[] {
  const contents = readContents(volume, step);
  return step.map(({ content, size }, i) => {
    const bytes = contents.get(content);
    if (bytes === undefined || bytes.length < size) return "gone";
    const text = bytes.subarray(0, size);
    if (isUnindexable(text)) return "refused";
    markTrigrams(text, place.bits, place.table, place.stride, column + i);
    return "covered";
  });
}

async function hashInParts(
  volume: ReadView,
  member: UnindexedContent,
  { table, bits, stride }: BitMatrix,
  column: number,
  pause: () => Promise<void>,
): Promise<HashOutcome> {
  const reader = volume.contents.reader(member);
  for (let at = 0; at < member.size; at += STEP_BYTES) {
    const part = readPart(reader, Math.max(0, at - OVERLAP), at + STEP_BYTES);
    if (part === null) return "gone";
    if (isUnindexable(part)) return "refused";
    markTrigrams(part, bits, table, stride, column);
    await pause();
  }
  return "covered";
}

function readPart(reader: ContentReader, start: number, end: number): Uint8Array | null {
  try {
    return reader.read(start, end);
  } catch (error) {
    if (error instanceof FsError && error.code === "EIO") return null;
    throw error;
  }
}

function readContents(volume: ReadView, step: readonly UnindexedContent[]): Map<number, Uint8Array> {
  const rows = step.filter(({ content }) => content > 0).map(({ content, size }): [number, number] => [content, size]);
  const found = selectRows(volume.store.db, new Map(rows));
  for (const { content, size } of step) {
    if (found.has(content)) continue;
    const bytes = readPart(volume.contents.reader({ content, size }), 0, size);
    if (bytes !== null) found.set(content, bytes);
  }
  return found;
}
