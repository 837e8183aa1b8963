/** Rollback for a store without a history: snapshots of files before a change, and restoring them. */
import { ToolError, toToolError } from "../errors.ts";
import type { FileSnapshot } from "../state/tool-state.ts";
import type { FileStore } from "./file-store.ts";

/** Omits missing files that are to be deleted. */
export async function snapshotFiles(
  store: FileStore,
  writes: readonly { path: string; delete?: boolean }[],
): Promise<FileSnapshot[]> {
  const snapshots: FileSnapshot[] = [];
  for (const write of writes) {
    const content = await store.read(write.path);
    if (content === null && write.delete) continue;
    const mode = content === null ? undefined : (await store.stat(write.path))?.mode;
    snapshots.push({ path: write.path, content, ...(mode === undefined ? {} : { mode }) });
  }
  return snapshots;
}

export interface RestoreOutcome {
  path: string;
  outcome: "restored" | "deleted" | "failed";
  message?: string;
}

/** Best effort: continues after an error, and reports an outcome for each path. */
export async function restoreSnapshots(
  store: FileStore,
  snapshots: readonly FileSnapshot[],
): Promise<RestoreOutcome[]> {
  const outcomes: RestoreOutcome[] = [];
  for (const { path, content, mode } of snapshots) {
    try {
      if (content === null) await removeIfThere(store, path);
      else await store.write(path, content, mode === undefined ? {} : { mode });
      outcomes.push({ path, outcome: content === null ? "deleted" : "restored" });
    } catch (error) {
      outcomes.push({ path, outcome: "failed", message: toToolError(error).message });
    }
  }
  return outcomes;
}

async function removeIfThere(store: FileStore, path: string): Promise<void> {
  if ((await store.stat(path)) === null) return;
  if (store.remove === undefined) throw new ToolError("UNAVAILABLE", `This store cannot delete ${path}.`);
  await store.remove(path);
}
