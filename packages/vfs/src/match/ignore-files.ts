/**
 * The ignore files of a directory, including those of a git repository that begins in it. Parsed rules are cached as long as their
 * content.
 */
import { type IgnoreKind, type IgnoreRules, parseIgnore } from "@workspace/glob";
import { ContentReader } from "../content/reader.ts";
import { type Inode, isFile, isSymlink } from "../tree/inode.ts";
import { joinPath } from "../tree/path.ts";
import { tryResolve } from "../tree/try-resolve.ts";
import type { Volume } from "../volume/volume.ts";

const NAMES: readonly [kind: IgnoreKind, name: string][] = [
  ["rgignore", ".rgignore"],
  ["ignore", ".ignore"],
  ["gitignore", ".gitignore"],
];
/** A larger one is truncated; git itself has none that large. */
const MAX_BYTES = 1024 * 1024;
const MAX_CACHED = 1000;

const parsed = new WeakMap<Volume, Map<string, IgnoreRules>>();

/** `ino`: of the directory, if known; otherwise it is found by its path. */
export function readIgnoreFiles(volume: Volume, ino: number | null, path: string): Map<IgnoreKind, IgnoreRules> {
  const found = new Map<IgnoreKind, IgnoreRules>();
  for (const [kind, name] of NAMES) {
    const file = fileAt(volume, ino, path, name);
    if (file !== null) found.set(kind, readIgnoreRules(volume, file, joinPath(path, name)));
  }
  if (isRepository(volume, ino, path)) {
    const exclude = followed(volume, joinPath(path, ".git/info/exclude"));
    if (exclude !== null) found.set("exclude", readIgnoreRules(volume, exclude, joinPath(path, ".git/info/exclude")));
  }
  return found;
}

export function isRepository(volume: Volume, ino: number | null, path: string): boolean {
  return (ino === null ? found(volume, joinPath(path, ".git")) : volume.cache.lookup(ino, ".git")) !== null;
}

function fileAt(volume: Volume, ino: number | null, path: string, name: string): Inode | null {
  if (ino === null) return followed(volume, joinPath(path, name));
  const inode = volume.cache.lookup(ino, name);
  if (inode === null) return null;
  if (isSymlink(inode)) return followed(volume, joinPath(path, name));
  return isFile(inode) ? inode : null;
}

function followed(volume: Volume, path: string): Inode | null {
  const inode = found(volume, path);
  return inode !== null && isFile(inode) ? inode : null;
}

/** As ripgrep: an unreadable ignore file counts as none. */
function found(volume: Volume, path: string): Inode | null {
  return tryResolve(volume.cache, path, "open", "follow")?.inode ?? null;
}

function readIgnoreRules(volume: Volume, inode: Inode, source: string): IgnoreRules {
  const retained = parsed.get(volume) ?? new Map<string, IgnoreRules>();
  parsed.set(volume, retained);
  // A revision may be reused after a rollback, but not in the same epoch.
  const key = `${volume.epochToken} ${source} ${inode.ino} ${inode.contentRev}`;
  const known = retained.get(key);
  if (known !== undefined) return known;
  if (retained.size >= MAX_CACHED) retained.clear();
  const rules = parseIgnore(new ContentReader(volume.db, inode).read(0, MAX_BYTES), source);
  retained.set(key, rules);
  return rules;
}
