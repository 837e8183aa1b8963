/**
 * Where paths have led before: an agent goes back to the same ones all day. Only what was found is kept, as inode numbers, so
 * creating and writing files makes nothing here wrong; removing and renaming does, and then it is forgotten.
 */
import type { Inode } from "../inode.ts";
import type { KnownDirectory } from "../resolve.ts";

/** Texts kept of either kind. */
const MAX_PATHS = 4096;

export interface ResolvedPath {
  readonly ino: number;
  /** Without links. */
  readonly path: string;
}

export class PathCache {
  readonly #directories = new Map<string, KnownDirectory>();
  readonly #followed = new Map<string, ResolvedPath>();
  /** Counts how often something was forgotten, so that a view with a memory of its own forgets as well. */
  generation = 0;
  /** The same, of directories and links that moved. */
  moves = 0;

  /** What a path has led to, links followed. */
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

  /** A name went away: paths may lead elsewhere now; those of directories only when a directory or a link moved. */
  forget(what: "files" | "all"): void {
    this.generation++;
    this.#followed.clear();
    if (what === "files") return;
    this.moves++;
    this.#directories.clear();
  }
}
