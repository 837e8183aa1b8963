/** Columns of an index that is held as entries: for comparing an index changed in memory with the work tree. */
import type { IndexFile } from "./index-file.ts";
import { FIELDS, type IndexTable } from "./index-table.ts";
import type { ColumnarIndex } from "./read-index.ts";

export function columnarIndex(index: IndexFile): ColumnarIndex {
  const { entries } = index;
  const fields = new Uint32Array(FIELDS * entries.length);
  const flags = new Uint32Array(entries.length);
  entries.forEach(({ stat, mode, stage, assumeValid, skipWorktree, intentToAdd }, i) => {
    fields.set(
      [
        stat.ctimeSeconds,
        stat.ctimeNanos,
        stat.mtimeSeconds,
        stat.mtimeNanos,
        stat.dev,
        stat.ino,
        mode,
        stat.uid,
        stat.gid,
        stat.size,
      ],
      FIELDS * i,
    );
    const extended = (skipWorktree ? 0x4000 : 0) | (intentToAdd ? 0x2000 : 0);
    flags[i] = (assumeValid ? 0x8000 : 0) | (stage << 12) | (extended << 16);
  });
  const table: IndexTable = {
    version: index.version,
    count: entries.length,
    paths: entries.map(({ path }) => path),
    fields,
    flags,
    oids: entries.map(({ oid }) => oid).join(""),
    end: 0,
  };
  return {
    table,
    tree: index.tree,
    extensions: index.extensions,
    mtimeSeconds: index.mtimeSeconds,
    mtimeNanos: index.mtimeNanos,
    fileVersion: index.fileVersion ?? null,
  };
}
