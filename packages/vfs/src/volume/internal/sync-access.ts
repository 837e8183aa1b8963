/** Volume access for the container sync alone: its durable state, and all names of a file. */
import { selectHardlinks } from "../../store/inodes.ts";
import { putSyncState, selectSyncState } from "../../store/sync-state.ts";
import { pathOfDirectory } from "../../walk/path-of.ts";
import type { ReadView } from "../views.ts";

export function readSyncState(volume: ReadView): unknown {
  const text = selectSyncState(volume.ensureOpen().store.db);
  return text === null ? null : JSON.parse(text);
}

export function writeSyncState(volume: ReadView, state: object): void {
  putSyncState(volume.ensureOpen().store.db, JSON.stringify(state));
}

/** All paths of a file with more than one name, without those in removed trees. */
export function pathsOfInode(volume: ReadView, ino: number): string[] {
  const { store, cache } = volume.ensureOpen();
  const paths: string[] = [];
  for (const { parent, name } of selectHardlinks(store.db, ino)) {
    const directory = cache.inode(parent);
    const path = directory === null ? null : pathOfDirectory(volume, directory);
    if (path !== null) paths.push(path === "/" ? `/${name}` : `${path}/${name}`);
  }
  return paths;
}
