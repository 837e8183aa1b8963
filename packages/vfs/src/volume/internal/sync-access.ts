/** What only the container sync needs of a volume: its durable state, and every name of a file. */
import { selectHardlinks } from "../../store/inodes.ts";
import { putSyncState, selectSyncState } from "../../store/sync-state.ts";
import { pathOfDirectory } from "../../walk/path-of.ts";
import type { Volume } from "../volume.ts";

export function readSyncState(volume: Volume): unknown {
  const text = selectSyncState(volume.ensureOpen().db);
  return text === null ? null : JSON.parse(text);
}

export function writeSyncState(volume: Volume, state: object): void {
  putSyncState(volume.ensureOpen().db, JSON.stringify(state));
}

/** All paths of a file with more than one name, without those in removed trees. */
export function pathsOfInode(volume: Volume, ino: number): string[] {
  const { db, cache } = volume.ensureOpen();
  const paths: string[] = [];
  for (const { parent, name } of selectHardlinks(db, ino)) {
    const directory = cache.inode(parent);
    const path = directory === null ? null : pathOfDirectory(volume, directory);
    if (path !== null) paths.push(path === "/" ? `/${name}` : `${path}/${name}`);
  }
  return paths;
}
