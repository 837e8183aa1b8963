/** Commits writes and deletes in a store, all or none: atomically if the store can, otherwise with a rollback. */
import { ToolError } from "../errors.ts";
import type { FileStat, FileStore } from "../store/file-store.ts";
import { snapshotFiles } from "../store/snapshots.ts";

export interface PendingWrite {
  path: string;
  /** Null: delete the file. */
  bytes: Uint8Array | null;
  mode?: number;
}

/** Returns the store's result for a single file. `bases` are the stats that the content was made from. */
export async function commitWrites(
  store: FileStore,
  puts: readonly PendingWrite[],
  bases: ReadonlyMap<string, FileStat | null>,
): Promise<unknown> {
  const changes = puts.map(({ path, bytes, mode }) => {
    const base = bases.get(path);
    const ifVersion = base === undefined ? undefined : base === null ? null : base.version;
    return {
      path,
      bytes,
      ...(mode === undefined ? {} : { mode }),
      ...(ifVersion === undefined ? {} : { ifVersion }),
    };
  });
  const [only] = changes;
  if (changes.length === 1 && only !== undefined) {
    const { path, bytes, mode, ifVersion } = only;
    if (bytes !== null) return store.write(path, bytes, { mode, ifVersion });
    if (store.remove !== undefined) return store.remove(path, ifVersion === undefined ? {} : { ifVersion });
  }
  if (store.writeMany !== undefined) return store.writeMany(changes);
  const before = await snapshotFiles(
    store,
    puts.map(({ path }) => ({ path })),
  );
  try {
    for (const { path, bytes, mode } of changes) {
      if (bytes !== null) await store.write(path, bytes, mode === undefined ? {} : { mode });
      else if (store.remove !== undefined) await store.remove(path);
      else throw new ToolError("UNAVAILABLE", `This store cannot delete ${path}.`);
    }
  } catch (error) {
    for (const { path, content, mode } of before) {
      if (content !== null) await store.write(path, content, mode === undefined ? {} : { mode });
      else if ((await store.stat(path)) !== null) await store.remove?.(path);
    }
    throw error;
  }
  return undefined;
}
