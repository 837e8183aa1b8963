/**
 * Not a file system: the least SQL that could do the same work, as the physical limit of the machine. No checks, no times, no
 * log, one tree, and directories resolved in memory. It has a column in the table and no part in the goals.
 */
import type { Contender } from "../contender.ts";
import { blocks } from "../worker/blocks.ts";

const ROWS_PER_INSERT = 25; // of 4 columns: the limit is 100 bound parameters
const LARGE_ROW_BYTES = 1024 * 1024;

export const contender: Contender = {
  id: "bare",
  async start(storage) {
    const { sql } = storage;
    sql.exec("CREATE TABLE IF NOT EXISTS directory (id INTEGER PRIMARY KEY, parent INTEGER, name TEXT)");
    sql.exec(
      "CREATE TABLE IF NOT EXISTS file (dir INTEGER, name TEXT, size INTEGER, bytes BLOB, PRIMARY KEY (dir, name))",
    );
    sql.exec("CREATE TABLE IF NOT EXISTS chunk (id INTEGER PRIMARY KEY, bytes BLOB)");
    const encoder = new TextEncoder();
    const decoder = new TextDecoder();
    const children = new Map<string, number>();
    let directories = 0;
    let largeSize = 0;

    const directoryOf = (path: string): number => {
      let id = 0;
      for (const name of path.split("/").slice(1)) {
        const key = `${id}/${name}`;
        let child = children.get(key);
        if (child === undefined) {
          child = ++directories;
          sql.exec("INSERT INTO directory VALUES (?, ?, ?)", child, id, name);
          children.set(key, child);
        }
        id = child;
      }
      return id;
    };
    const split = (path: string): [number, string] => {
      const slash = path.lastIndexOf("/");
      return [slash > 0 ? directoryOf(path.slice(0, slash)) : 0, path.slice(slash + 1)];
    };

    return {
      makesParents: true,
      makeDirectories: async (path) => void directoryOf(path),
      writeText: async (path, text) => {
        const bytes = encoder.encode(text);
        sql.exec("INSERT INTO file VALUES (?, ?, ?, ?)", ...split(path), bytes.byteLength, bytes);
      },
      readText: async (path) => {
        const [row] = sql.exec("SELECT bytes FROM file WHERE dir = ? AND name = ?", ...split(path)).raw();
        return decoder.decode((row as unknown as [ArrayBuffer])[0]);
      },
      stat: async (path) => {
        if (largeSize > 0) return largeSize;
        const row = sql
          .exec("SELECT size FROM file WHERE dir = ? AND name = ?", ...split(path))
          .raw()
          .next();
        if (row.done) throw new Error(`no such file: ${path}`);
        return row.value[0] as number;
      },
      list: async (path) => {
        const id = directoryOf(path);
        const query = "SELECT name FROM file WHERE dir = ? UNION ALL SELECT name FROM directory WHERE parent = ?";
        return [...sql.exec(query, id, id).raw()].length;
      },
      find: async () => [...sql.exec("SELECT dir, name FROM file WHERE name GLOB '*.ts'").raw()].length,
      grep: async (_directory, { pattern, regex }) => {
        const matcher = new RegExp(regex ? pattern : pattern.replace(/[^\w]/g, (character) => `\\${character}`));
        let lines = 0;
        for (const [bytes] of sql.exec("SELECT bytes FROM file").raw()) {
          const text = decoder.decode(bytes as ArrayBuffer);
          if (!matcher.test(text)) continue;
          for (const line of text.split("\n")) if (matcher.test(line)) lines++;
        }
        return lines;
      },
      rename: async (from, to) => {
        const id = directoryOf(from);
        const [oldParent, oldName] = split(from);
        const [newParent, newName] = split(to);
        sql.exec("UPDATE directory SET parent = ?, name = ? WHERE id = ?", newParent, newName, id);
        children.delete(`${oldParent}/${oldName}`);
        children.set(`${newParent}/${newName}`, id);
      },
      removeTree: async () => {
        sql.exec("DELETE FROM file");
        sql.exec("DELETE FROM directory");
        children.clear();
      },
      writeMany: async (files) => {
        storage.transactionSync(() => {
          for (let start = 0; start < files.length; start += ROWS_PER_INSERT) {
            const batch = files.slice(start, start + ROWS_PER_INSERT).map(({ path, text }) => {
              const bytes = encoder.encode(text);
              return [...split(path), bytes.byteLength, bytes];
            });
            sql.exec(`INSERT INTO file VALUES ${batch.map(() => "(?, ?, ?, ?)").join(",")}`, ...batch.flat());
          }
        });
      },
      writeStream: async (_path, content) => {
        for await (const block of blocks(content, LARGE_ROW_BYTES)) {
          sql.exec("INSERT INTO chunk (bytes) VALUES (?)", block);
          largeSize += block.byteLength;
        }
      },
      readStream: async () => largeRows(sql),
    };
  },
};

async function* largeRows(sql: SqlStorage): AsyncIterable<Uint8Array> {
  for (let id = 1; ; id++) {
    const row = sql.exec("SELECT bytes FROM chunk WHERE id = ?", id).raw().next();
    if (row.done) return;
    yield new Uint8Array(row.value[0] as ArrayBuffer);
  }
}
