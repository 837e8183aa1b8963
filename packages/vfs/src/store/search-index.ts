/** SQL of `ws_search_segment` and `ws_search_block`, the trigram index. */
import type { Database } from "../db/database.ts";
import { forSlices } from "./bulk.ts";

export interface StoredSegment {
  readonly id: number;
  readonly bits: number;
  readonly rev: number;
  /** Pairs of content and length. */
  readonly documents: Float64Array;
}

const BLOCKS_PER_GROUP = 2 ** 20;
const BLOCKS_PER_INSERT = 40;

export function selectSegments(db: Database): StoredSegment[] {
  return db.rows("SELECT id, bits, rev, documents FROM ws_search_segment ORDER BY id").map((row) => ({
    id: row[0] as number,
    bits: row[1] as number,
    rev: row[2] as number,
    documents: new Float64Array(row[3] as ArrayBuffer),
  }));
}

export function insertSegment(
  db: Database,
  { id, bits, rev, documents }: StoredSegment,
  blocks: readonly Uint8Array[],
): void {
  db.run(
    "INSERT INTO ws_search_segment (id, bits, rev, documents) VALUES (?, ?, ?, ?)",
    id,
    bits,
    rev,
    new Uint8Array(documents.buffer, documents.byteOffset, documents.byteLength),
  );
  for (let i = 0; i < blocks.length; i += BLOCKS_PER_INSERT) {
    const some = blocks.slice(i, i + BLOCKS_PER_INSERT);
    db.run(
      `INSERT INTO ws_search_block (id, bits) VALUES ${some.map(() => "(?,?)").join(",")}`,
      ...some.flatMap((block, k) => [id * BLOCKS_PER_GROUP + i + k, block]),
    );
  }
}

export function deleteGroups(db: Database, ids: readonly number[]): void {
  forSlices(db, "DELETE FROM ws_search_segment WHERE id IN (SELECT value FROM json_each(?))", ids);
  for (const id of ids)
    db.run("DELETE FROM ws_search_block WHERE id >= ? AND id < ?", id * BLOCKS_PER_GROUP, (id + 1) * BLOCKS_PER_GROUP);
}

/** Its bits reveal something of the texts they were made from. */
export function overwriteIndex(db: Database): void {
  db.run("UPDATE ws_search_block SET bits = zeroblob(length(bits))");
}

export function deleteIndex(db: Database): void {
  db.run("DELETE FROM ws_search_block");
  db.run("DELETE FROM ws_search_segment");
}

/** Blocks by segment and number, as `segment * 2^20 + number`. */
export function selectBlocks(db: Database, ids: readonly number[]): Map<number, Uint8Array> {
  const found = new Map<number, Uint8Array>();
  const rows = db.rows(
    "SELECT id, bits FROM ws_search_block WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
  for (const row of rows) found.set(row[0] as number, new Uint8Array(row[1] as ArrayBuffer));
  return found;
}

export function blockId(group: number, block: number): number {
  return group * BLOCKS_PER_GROUP + block;
}

/** The contents, rows and trees, that still exist. */
export function selectExisting(db: Database, contents: readonly number[]): Set<number> {
  const rows = db.rows(
    `SELECT id FROM ws_content WHERE id IN (SELECT value FROM json_each(?1))
     UNION ALL SELECT -id FROM ws_node WHERE id IN (SELECT -value FROM json_each(?1))
     UNION ALL SELECT -id FROM ws_layout WHERE id IN (SELECT -value FROM json_each(?1))`,
    JSON.stringify(contents),
  );
  return new Set(rows.map((row) => row[0] as number));
}

export function indexBytes(db: Database): number {
  const row = db.row(
    "SELECT (SELECT ifnull(sum(length(bits)), 0) FROM ws_search_block) + (SELECT ifnull(sum(length(documents)), 0) FROM ws_search_segment)",
  );
  return (row?.[0] as number | undefined) ?? 0;
}
