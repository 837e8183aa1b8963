/**
 * Removes a directory that the workspace no longer has: the entries that still match the manifest, and those that only the
 * container has (caches). Entries that a command created or moved there, and that are not pulled yet, stay with their parent
 * directories.
 */
import { lstatSync, readdirSync, rmdirSync, rmSync, type Stats, unlinkSync } from "node:fs";
import type { DirectoryHandle } from "../jail/directory-handle.ts";
import type { OpenDirectories } from "../jail/open-directories.ts";
import { entryKind, type ManifestEntry } from "./manifest.ts";
import { type Placement, placementIn, placementOf } from "./placement.ts";
import { splitPath, type Tree } from "./tree.ts";

type IsClean = (path: string, known: ManifestEntry, stat: Stats) => boolean;

/** Whether nothing is left. */
export function removeTree(tree: Tree, pins: OpenDirectories, path: string, isClean: IsClean): boolean {
  const [directory, name] = splitPath(path);
  const parent = pins.find(directory);
  if (parent === null) return true;
  return removeIn({ tree, pins, isClean, byInode: null }, parent, name, path, placementOf(tree, directory));
}

interface Removing {
  tree: Tree;
  pins: OpenDirectories;
  isClean: IsClean;
  /** Paths in the manifest by inode. Built on first use. */
  byInode: Map<number, string> | null;
}

/** `above`: placement of the parent directory. */
function removeIn(removing: Removing, parent: DirectoryHandle, name: string, path: string, above: Placement): boolean {
  const { tree } = removing;
  const below = parent.enter(name);
  // Computed before anything is removed: it depends on what the workspace has there.
  const placement = placementIn(tree, path, above);
  let empty = true;
  {
    using held = below;
    for (const entry of readdirSync(held.path)) {
      if (!removeEntry(removing, held, entry, `${path}/${entry}`, placement)) empty = false;
    }
  }
  // A directory that a command created and that is not pulled yet stays, even if empty.
  if (!empty || !tree.manifest.has(path)) return false;
  try {
    rmdirSync(parent.at(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
    return false;
  }
  tree.manifest.delete(path);
  return true;
}

function removeEntry(
  removing: Removing,
  parent: DirectoryHandle,
  name: string,
  path: string,
  placement: Placement,
): boolean {
  const { tree, isClean } = removing;
  const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const type = entryKind(stat.mode);
  const known = tree.manifest.get(path);
  if (known === undefined && isContainerOnly(tree, path, type === "dir", placement))
    return removeRetained(removing, parent, name);
  if (type === "dir") return removeIn(removing, parent, name, path, placement);
  if (known === undefined || !isClean(path, known, stat)) return false;
  unlinkSync(parent.at(name));
  tree.manifest.delete(path);
  return true;
}

function isContainerOnly(tree: Tree, path: string, isDirectory: boolean, placement: Placement): boolean {
  if (placement === "container-only" || tree.policy.staysHere(path, isDirectory)) return true;
  return isDirectory && placementIn(tree, path, placement) === "container-only";
}

/**
 * Removes what only the container has, except files that a command moved there from the synced tree: the next scan reports those.
 */
function removeRetained(removing: Removing, parent: DirectoryHandle, name: string): boolean {
  const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
  if (stat === undefined) return true;
  if (!stat.isDirectory()) {
    if (isMoved(removing, stat)) return false;
    rmSync(parent.at(name), { force: true });
    return true;
  }
  let empty = true;
  {
    using below = parent.enter(name);
    for (const entry of readdirSync(below.path)) if (!removeRetained(removing, below, entry)) empty = false;
  }
  if (empty) rmdirSync(parent.at(name));
  return empty;
}

/**
 * In the manifest under another name that no longer leads to it. A file with both names is a hard link, as package managers create
 * them.
 */
function isMoved(removing: Removing, stat: Stats): boolean {
  const { tree, pins } = removing;
  removing.byInode ??= new Map([...tree.manifest].map(([path, { ino }]) => [ino, path]));
  const path = removing.byInode.get(stat.ino);
  const known = path === undefined ? undefined : tree.manifest.get(path);
  if (path === undefined || known === undefined || known.size !== stat.size || known.mtimeMs !== stat.mtimeMs)
    return false;
  const [directory, name] = splitPath(path);
  const parent = pins.find(directory);
  return parent === null || lstatSync(parent.at(name), { throwIfNoEntry: false })?.ino !== stat.ino;
}
