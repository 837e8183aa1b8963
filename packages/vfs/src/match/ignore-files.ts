/**
 * The ignore files of a directory, including those of a git repository that begins in it. Parsed rules are cached as long as their
 * content.
 */
import { type IgnoreKind, type IgnoreRules, parseIgnore } from "@workspace/glob";
import { type Inode, isFile, isSymlink } from "../tree/inode.ts";
import { joinPath } from "../tree/path.ts";
import { tryResolve } from "../tree/try-resolve.ts";
import type { ReadView } from "../volume/views.ts";

const NAMES: readonly [kind: IgnoreKind, name: string][] = [
  ["rgignore", ".rgignore"],
  ["ignore", ".ignore"],
  ["gitignore", ".gitignore"],
];
/** A larger one is truncated; git itself has none that large. */
const MAX_BYTES = 1024 * 1024;
const MAX_CACHED = 1000;

/** `ino`: of the directory, if known; otherwise it is found by its path. */
export function readIgnoreFiles(volume: ReadView, ino: number | null, path: string): Map<IgnoreKind, IgnoreRules> {
  const found = new Map<IgnoreKind, IgnoreRules>();
  for (const [kind, name] of NAMES) {
    const file = fileAt(volume, ino, path, name);
    if (file !== null) found.set(kind, volume.store.services.ignoreRules.read(volume, file, joinPath(path, name)));
  }
  if (isRepository(volume, ino, path)) {
    const exclude = followed(volume, joinPath(path, ".git/info/exclude"));
    if (exclude !== null)
      found.set(
        "exclude",
        volume.store.services.ignoreRules.read(volume, exclude, joinPath(path, ".git/info/exclude")),
      );
  }
  return found;
}

export function isRepository(volume: ReadView, ino: number | null, path: string): boolean {
  return (ino === null ? found(volume, joinPath(path, ".git")) : volume.cache.lookup(ino, ".git")) !== null;
}

function fileAt(volume: ReadView, ino: number | null, path: string, name: string): Inode | null {
  if (ino === null) return followed(volume, joinPath(path, name));
  const inode = volume.cache.lookup(ino, name);
  if (inode === null) return null;
  if (isSymlink(inode)) return followed(volume, joinPath(path, name));
  return isFile(inode) ? inode : null;
}

function followed(volume: ReadView, path: string): Inode | null {
  const inode = found(volume, path);
  return inode !== null && isFile(inode) ? inode : null;
}

/** As ripgrep: an unreadable ignore file counts as none. */
function found(volume: ReadView, path: string): Inode | null {
  return tryResolve(volume.cache, path, "open", "follow")?.inode ?? null;
}

/** Parsed ignore files of a volume, as long as their content. */
export class IgnoreRulesCache {
  readonly #rules = new Map<string, IgnoreRules>();

  read({ store, contents }: ReadView, inode: Inode, source: string): IgnoreRules {
    // A revision may be reused after a rollback, but not in the same epoch.
    const key = `${store.epochToken} ${source} ${inode.ino} ${inode.contentRev}`;
    const known = this.#rules.get(key);
    if (known !== undefined) return known;
    if (this.#rules.size >= MAX_CACHED) this.#rules.clear();
    const rules = parseIgnore(contents.reader(inode).read(0, MAX_BYTES), source);
    this.#rules.set(key, rules);
    return rules;
  }
}
