/** Checks shared by all verbs that remove or move an entry: it is not the workspace root, and a replaced directory is empty. */
import { FsError } from "../api/errors.ts";
import { hasEntries } from "../store/inodes.ts";
import type { Inode } from "../tree/inode.ts";
import type { Resolved } from "../tree/resolve.ts";
import type { WriteView } from "../volume/views.ts";
import type { Mutation } from "./mutation.ts";

/** `/` and the workspace root stay: everything else is below them. */
export function assertNotRoot(volume: WriteView, found: Resolved, syscall: string, given: string, dest?: string): void {
  if (found.path === "/" || found.path === volume.root || `${volume.root}/`.startsWith(`${found.path}/`)) {
    throw new FsError("EBUSY", { syscall, path: given, dest, reason: "the workspace root cannot be removed or moved" });
  }
}

export function isEmpty(mutation: Mutation, directory: Inode): boolean {
  const staged = mutation.entries.get(directory.ino);
  if (staged !== undefined) for (const ino of staged.values()) if (ino !== 0) return false;
  if (mutation.isNew(directory.ino)) return true;
  const known = mutation.volume.cache.loadComplete(directory.ino);
  if (known === undefined) return staged === undefined ? !hasEntries(mutation.volume.store.db, directory.ino) : false;
  for (const [name, ino] of known.entries) if (ino !== 0 && !staged?.has(name)) return false;
  return true;
}
