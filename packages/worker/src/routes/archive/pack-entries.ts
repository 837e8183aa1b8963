/**
 * The contents of an archive: the tree in order, one page at a time. Small files are read many per message, large ones are
 * streamed. A file's size is that of the bytes that follow, even during a concurrent write; a file that vanished is left out.
 */
import type { FileSystem } from "@cloudflare/workspace";
import type { ArchiveEntry } from "@workspace/archive";
import type { Entry } from "../../api/tree.ts";
import { HttpError } from "../../errors/http-error.ts";
import { LIMITS } from "../../limits.ts";
import { openVersion } from "../files/open-version.ts";
import { listTree } from "../list-tree.ts";

export async function* packEntries(fs: FileSystem, root: string): AsyncGenerator<ArchiveEntry> {
  let after: string[] = [];
  for (;;) {
    const { entries, more } = await listTree(fs, root, { depth: 1000, limit: LIMITS.listPage, after });
    for (const batch of batches(entries)) yield* packed(fs, root, batch);
    const last = entries.at(-1);
    if (!more || last === undefined) return;
    after = last.path.slice(root.length + 1).split("/");
  }
}

/** Groups entries whose small files fit into one message; a large file is a group of its own. */
function* batches(entries: readonly Entry[]): Generator<Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.type === "file" ? entry.size : 0;
    if (batch.length > 0 && bytes + size > LIMITS.archiveBatch) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function* packed(fs: FileSystem, root: string, batch: readonly Entry[]): AsyncGenerator<ArchiveEntry> {
  const small = batch.filter(({ type, size }) => type === "file" && size <= LIMITS.archiveBatch);
  const contents = small.length === 0 ? [] : await fs.readMany(small.map(({ path }) => path));
  const bytesOf = new Map(small.map(({ path }, i) => [path, contents[i] ?? null]));
  for (const { path, type, mode, mtime, size } of batch) {
    const common = { name: path.slice(root.length + 1), mode: mode & 0o777, mtimeMs: mtime };
    if (type === "directory") yield { ...common, type: "dir", size: 0 };
    else if (type === "symlink") yield { ...common, type, size: 0, target: await fs.readlink(path) };
    else if (size > LIMITS.archiveBatch) yield { ...common, type, ...(await opened(fs, path)) };
    else {
      const content = bytesOf.get(path) ?? null;
      if (content !== null) yield { ...common, type, size: content.length, content };
    }
  }
}

async function opened(fs: FileSystem, path: string): Promise<{ size: number; content: AsyncIterable<Uint8Array> }> {
  for (let attempt = 0; attempt < LIMITS.openAttempts; attempt++) {
    const stat = await fs.stat(path);
    const stream = await openVersion(fs, { path, stat });
    if (stream !== "changed") return { size: stat.size, content: stream as AsyncIterable<Uint8Array> };
  }
  throw new HttpError("EAGAIN", "a file changes faster than it can be opened", { path });
}
