/**
 * Finds entries that a command moved from the synced tree into a directory that is not synced by default. They still belong to the
 * workspace, under their new names. Otherwise `mv src target` would remove `src` from the workspace and leave its files only in the
 * container.
 */
import { fstatSync, lstatSync, readdirSync, type Stats } from "node:fs";
import type { DirectoryHandle } from "../jail/directory-handle.ts";
import type { OpenDirectories } from "../jail/open-directories.ts";
import { entryKind, type ManifestEntry } from "./manifest.ts";
import { splitPath, type Tree } from "./tree.ts";
import type { WalkResult } from "./walk-result.ts";

/** Maximum number of entries examined; those in a directory that was moved itself do not count. */
const MAX_LOOKS = 5000;
/** The same if nothing is missing and files were only replaced: most programs save that way and move nothing. */
const MAX_LOOKS_FOR_REPLACED = 500;

/** In the manifest, but not seen by the scan. */
export function missingEntries(tree: Tree, { seen, unread }: WalkResult, number: number): string[] {
  const gone: string[] = [];
  if (seen >= tree.manifest.size) return gone;
  for (const [path, known] of tree.manifest) {
    if (known.seen === number || unread.some((prefix) => path.startsWith(prefix))) continue;
    gone.push(path);
  }
  return gone;
}

/** Paths, with their parent directories. */
export function findMoved(tree: Tree, walked: WalkResult, number: number): Set<string> {
  const found = new Set<string>();
  if (walked.retained.size === 0) return found;
  /** By inode, including those whose path another entry has taken. */
  const missing = new Map<number, ManifestEntry>();
  for (const path of missingEntries(tree, walked, number)) {
    const known = tree.manifest.get(path) as ManifestEntry;
    missing.set(known.ino, known);
  }
  const limit = missing.size > 0 ? MAX_LOOKS : MAX_LOOKS_FOR_REPLACED;
  for (const { known, stat } of walked.changed)
    if (known !== undefined && known.ino !== stat.ino) missing.set(known.ino, known);
  for (const { stat } of walked.changed) missing.delete(stat.ino);
  if (missing.size === 0) return found;
  using pins = tree.pins();
  // Breadth first: moved entries are rarely deep.
  let level = [...walked.retained].map((path) => ({ path, isMoved: false }));
  let looks = 0;
  while (level.length > 0 && looks < limit) {
    const next: typeof level = [];
    for (const { path, isMoved: isAboveMoved } of level) {
      const directory = tree.policy.staysHere(path, true) ? null : open(pins, path);
      if (directory === null) continue;
      const isMoved = isAboveMoved || missing.get(fstatSync(directory.fd).ino)?.type === "dir";
      for (const name of namesIn(directory)) {
        if (looks >= limit && !isMoved) break;
        if (!isMoved) looks++;
        walked.looks++;
        const below = `${path}/${name}`;
        const stat = lstatSync(directory.at(name), { throwIfNoEntry: false });
        if (stat === undefined || tree.manifest.has(below)) continue;
        if (stat.isDirectory()) next.push({ path: below, isMoved });
        else if (isSame(missing.get(stat.ino), stat)) addWithParents(found, below);
      }
    }
    level = next;
  }
  return found;
}

/** Null if it is not a directory, is gone, or is not readable: then it contains nothing of the workspace. */
function open(pins: OpenDirectories, path: string): DirectoryHandle | null {
  try {
    return pins.find(path);
  } catch {
    return null;
  }
}

function namesIn(directory: DirectoryHandle): string[] {
  try {
    return readdirSync(directory.path);
  } catch {
    return [];
  }
}

/** An inode number alone is not enough: the kernel reuses it for other files. */
function isSame(known: ManifestEntry | undefined, stat: Stats): boolean {
  if (known === undefined || known.type === "dir" || known.type !== entryKind(stat.mode)) return false;
  return known.size === stat.size && known.mtimeMs === stat.mtimeMs;
}

function addWithParents(paths: Set<string>, path: string): void {
  for (let at = path; at !== "" && !paths.has(at); at = splitPath(at)[0]) paths.add(at);
}
