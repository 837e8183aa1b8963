/**
 * Records visited tree ids by directory, for write-tree to reuse: an index that equals the trees need not build and hash them
 * again. Excludes trees that the index would write differently: an old mode, an empty directory, names out of order.
 */
import { indexMode, isTreeMode } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import type { TreeEntry } from "../object/tree.ts";
import { compareText } from "../text/bytes.ts";

export class VisitedTrees {
  readonly #trees = new Map<string, Oid>();
  #isExact = true;

  /** "" or "dir/". */
  add(directory: string, oid: Oid | null, entries: readonly TreeEntry[]): void {
    // A directory being removed has no tree.
    if (oid === null || !this.#isExact) return;
    this.#isExact = entries.length > 0 && entries.every((entry, i) => isAsStaged(entry, entries[i - 1]));
    this.#trees.set(directory, oid);
  }

  /** For an index that equals them all. */
  get known(): ReadonlyMap<string, Oid> {
    return this.#isExact ? this.#trees : new Map();
  }
}

function isAsStaged(entry: TreeEntry, before: TreeEntry | undefined): boolean {
  if (indexMode(entry.mode) !== entry.mode) return false;
  if (before === undefined) return true;
  const [a, b] = [entryKey(before), entryKey(entry)];
  // UTF-16 order is git's except for rare characters, so only apparent violations are compared again.
  return a < b || compareText(a, b) < 0;
}

function entryKey({ name, mode }: TreeEntry): string {
  return isTreeMode(mode) ? `${name}/` : name;
}
