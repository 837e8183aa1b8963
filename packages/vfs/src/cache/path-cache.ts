/**
 * Caches resolved paths: an agent returns to the same ones all day. It stores only hits, as inode numbers, so creating and writing
 * files invalidates nothing. Removing and renaming do, and clear the affected entries.
 */
import type { Inode } from "../tree/inode.ts";
import type { KnownDirectory } from "../tree/resolve.ts";

/** Maximum number of cached paths of either kind. */
const MAX_PATHS = 4096;

export interface ResolvedPath {
  readonly ino: number;
  /** Without symlinks. */
  readonly path: string;
}

export class PathCache {
  readonly #directories = new Map<string, KnownDirectory>();
  readonly #followed = new Map<string, ResolvedPath>();
  /** Counts invalidations, so that a view with its own cache can invalidate it as well. */
  generation = 0;
  /** As `generation`, for moved directories and symlinks only. */
  moves = 0;

  /** The cached result of a path, symlinks followed. */
  followed(path: string): ResolvedPath | undefined {
    return this.#followed.get(path);
  }

  rememberFollowed(text: string, inode: Inode, path: string): void {
    if (this.#followed.size >= MAX_PATHS) this.#followed.clear();
    this.#followed.set(text, { ino: inode.ino, path });
  }

  directoryAt(text: string): KnownDirectory | undefined {
    return this.#directories.get(text);
  }

  rememberDirectory(text: string, directory: KnownDirectory): void {
    if (this.#directories.size >= MAX_PATHS) this.#directories.clear();
    this.#directories.set(text, directory);
  }

  /**
   * Call when a name was removed: paths may resolve differently. Directory paths change only when a directory or a symlink moved.
   */
  forget(what: "files" | "all"): void {
    this.generation++;
    this.#followed.clear();
    if (what === "files") return;
    this.moves++;
    this.#directories.clear();
  }
}
