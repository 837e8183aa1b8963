/**
 * Goes over what is under a directory, in the order of a walk, until the visitor has enough: for whoever shows a page of it and asks
 * for no versions and no whole paths (the agent tools do). At once: a page is too little to give way in, and directories that are not
 * in memory are read many at a time. No object is made for an entry.
 */
import { FsError } from "../errors.ts";
import type { EntryType } from "../filesystem.ts";
import { isDirectory, typeName } from "../inode.ts";
import { parsePath } from "../path.ts";
import { resolveExisting } from "../resolve.ts";
import type { Volume } from "../volume.ts";
import { Walker } from "../walk/walker.ts";
import { keepWalkCode } from "./keep-walk-code.ts";

/** Good until the walk goes on: the next entry takes its place. */
export interface BelowEntry {
  readonly name: string;
  /** The directory that it is in, from the start, with a slash at its end; "" in the start itself. */
  readonly prefix: string;
  /** 1 for what is in the start itself. */
  readonly depth: number;
  readonly type: EntryType;
  readonly size: number;
  readonly mtimeMs: number;
}

/** False: that was enough. */
export type VisitBelow = (entry: BelowEntry) => boolean;

export function visitBelow(volume: Volume, given: string, maxDepth: number, visit: VisitBelow): void {
  keepWalkCode();
  const { inode: start } = resolveExisting(volume.open().cache, parsePath(given, "scandir"), "scandir", "follow");
  if (!isDirectory(start)) throw new FsError("ENOTDIR", { syscall: "scandir", path: given });
  const walker = new Walker(volume, start, { what: "inodes", maxDepth, limit: volume.limits.walkEntries });
  const entry = new EntryHere(walker);
  while (walker.next()) {
    if (!visit(entry)) return;
    if (walker.isDirectory) walker.enter();
  }
}

/** What the walker stands on, in the words of the file system. */
export class EntryHere implements BelowEntry {
  readonly #walker: Walker;

  constructor(walker: Walker) {
    this.#walker = walker;
  }

  get name(): string {
    return this.#walker.name;
  }

  get prefix(): string {
    return this.#walker.level.prefix;
  }

  get depth(): number {
    return this.#walker.depth;
  }

  get type(): EntryType {
    return typeName(this.#walker.type);
  }

  get size(): number {
    return this.#walker.inode.size;
  }

  get mtimeMs(): number {
    return this.#walker.inode.mtime / 1000;
  }
}
