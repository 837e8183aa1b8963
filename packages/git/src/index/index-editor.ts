/**
 * Collects changes to an index and merges them into the sorted list once. Adding "a/b" removes a file "a" and adding "a" removes
 * everything under "a/", as git's `ADD_CACHE_OK_TO_REPLACE`; staging a path resolves its conflict. Invalidates the cached trees
 * above changed paths; an entry that differs only in its stat changes no tree.
 */
import { compareText, hasPlainOrder } from "../text/bytes.ts";
import { invalidatePaths } from "./cached-tree.ts";
import type { IndexEntry, Stage } from "./index-entry.ts";
import type { IndexFile } from "./index-file.ts";
import { parseResolveUndo, type ResolveUndo, serializeResolveUndo } from "./resolve-undo.ts";

export class IndexEditor {
  readonly #base: IndexFile;
  /** All entries of a path, by stage; empty: removed. */
  readonly #changes = new Map<string, readonly IndexEntry[]>();
  /** Directories with entries added here. */
  readonly #directories = new Set<string>();
  /** Paths whose object or mode changed. */
  readonly #touched = new Set<string>();
  /** Changed paths, including changes of the stat alone. */
  #changed = false;
  /** Conflicts that were resolved here, if they are to be recorded. */
  readonly #resolved: ResolveUndo | null;

  /** `resolveUndo`: as in `add` and `rm`, record the stages of a resolved conflict. */
  constructor(base: IndexFile, { resolveUndo = false }: { resolveUndo?: boolean } = {}) {
    this.#base = base;
    this.#resolved = resolveUndo ? new Map() : null;
  }

  /** Nothing differs from the original index. */
  get unchanged(): boolean {
    return !this.#changed;
  }

  /** Every stage of the path. */
  at(path: string): readonly IndexEntry[] {
    return this.#changes.get(path) ?? this.#baseAt(path);
  }

  get(path: string, stage: Stage = 0): IndexEntry | undefined {
    return this.at(path).find((entry) => entry.stage === stage);
  }

  /** Something is staged at or under the directory. */
  hasUnder(directory: string): boolean {
    return this.under(directory).next().done === false;
  }

  /** Paths below the directory, not in order. */
  *under(directory: string): Generator<string> {
    const prefix = `${directory}/`;
    const { entries } = this.#base;
    let before = "";
    for (let i = lowerBound(entries, prefix); i < entries.length; i++) {
      const { path } = entries[i] as IndexEntry;
      if (!path.startsWith(prefix)) break;
      if (path === before) continue;
      before = path;
      if (!this.#changes.has(path)) yield path;
    }
    if (!this.#directories.has(directory)) return;
    for (const [path, list] of this.#changes) if (list.length > 0 && path.startsWith(prefix)) yield path;
  }

  /** Stage 0 replaces every stage of the path, another stage replaces itself and stage 0. */
  set(entry: IndexEntry): void {
    const before = this.at(entry.path);
    const retained = entry.stage === 0 ? [] : before.filter(({ stage }) => stage !== 0 && stage !== entry.stage);
    if (before.length === 0) this.#makeRoom(entry);
    this.#put(
      entry.path,
      [...retained, entry].sort((a, b) => a.stage - b.stage),
      before,
    );
  }

  /** Of all stages, or of one. */
  remove(path: string, stage?: Stage): void {
    const before = this.at(path);
    if (before.length === 0) return;
    this.#put(path, stage === undefined ? [] : before.filter((entry) => entry.stage !== stage), before);
  }

  removeUnder(directory: string, stage?: Stage): void {
    if (!this.#anythingUnder(directory)) return;
    for (const path of [...this.under(directory)]) this.remove(path, stage);
  }

  /** The new index; the editor remains usable. */
  finish(): IndexFile {
    if (!this.#changed) return this.#base;
    const { tree } = this.#base;
    return {
      ...this.#base,
      entries: this.#merged(),
      extensions: this.#extensions(),
      tree: tree === null || this.#touched.size === 0 ? tree : invalidatePaths(tree, this.#touched),
    };
  }

  #put(path: string, list: readonly IndexEntry[], before: readonly IndexEntry[]): void {
    if (list.length === before.length && list.every((entry, i) => entry === before[i])) return;
    this.#changed = true;
    this.#changes.set(path, list);
    if (this.#resolved !== null && (before[0]?.stage ?? 0) !== 0 && (list[0]?.stage ?? 0) === 0) {
      const sides = ([1, 2, 3] as const).map((stage) => before.find((entry) => entry.stage === stage) ?? null);
      this.#resolved.set(path, sides);
    }
    if (!sameForTrees(list, before)) this.#touched.add(path);
    if (list.length === 0) return;
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const directory = path.slice(0, slash);
      if (this.#directories.has(directory)) return;
      this.#directories.add(directory);
    }
  }

  #extensions(): IndexFile["extensions"] {
    const { extensions } = this.#base;
    if (this.#resolved === null || this.#resolved.size === 0) return extensions;
    const before = extensions.find(({ signature }) => signature === "REUC");
    const undo = before ? parseResolveUndo(before.body) : new Map();
    for (const [path, sides] of this.#resolved) undo.set(path, sides);
    const body = serializeResolveUndo(undo);
    return [...extensions.filter((extension) => extension !== before), { signature: "REUC", body }];
  }

  /** In a conflict, a file and entries under it may coexist, each in its own stage. */
  #makeRoom({ path, stage }: IndexEntry): void {
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
      this.remove(path.slice(0, slash), stage || undefined);
    }
    this.removeUnder(path, stage || undefined);
  }

  /** A cheap check suffices for most additions; it may still find removed entries. */
  #anythingUnder(directory: string): boolean {
    if (this.#directories.has(directory)) return true;
    const { entries } = this.#base;
    if (entries.length === 0) return false;
    const prefix = `${directory}/`;
    return entries[lowerBound(entries, prefix)]?.path.startsWith(prefix) === true;
  }

  #baseAt(path: string): readonly IndexEntry[] {
    return stagesIn(this.#base.entries, path);
  }

  #merged(): IndexEntry[] {
    const { entries } = this.#base;
    const changed = [...this.#changes.keys()].sort(compareText);
    const merged: IndexEntry[] = [];
    let from = 0;
    for (const path of changed) {
      const at = lowerBound(entries, path, from);
      for (let i = from; i < at; i++) merged.push(entries[i] as IndexEntry);
      merged.push(...(this.#changes.get(path) as readonly IndexEntry[]));
      from = at;
      while (entries[from]?.path === path) from++;
    }
    for (let i = from; i < entries.length; i++) merged.push(entries[i] as IndexEntry);
    return merged;
  }
}

const NONE: readonly IndexEntry[] = [];

/** Every stage of the path. */
export function stagesIn(entries: readonly IndexEntry[], path: string): readonly IndexEntry[] {
  const start = lowerBound(entries, path);
  let end = start;
  while (entries[end]?.path === path) end++;
  return end === start ? NONE : entries.slice(start, end);
}

/** The first entry that is not before `path`. */
function lowerBound(entries: readonly { readonly path: string }[], path: string, from = 0): number {
  const plain = hasPlainOrder(path);
  let low = from;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = (entries[middle] as { path: string }).path;
    if (plain ? there < path : compareText(there, path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sameForTrees(a: readonly IndexEntry[], b: readonly IndexEntry[]): boolean {
  const [x, y] = [a[0], b[0]];
  if (a.length !== 1 || b.length !== 1 || !x || !y) return false;
  const sameFlags = (x.intentToAdd ?? false) === (y.intentToAdd ?? false);
  return x.stage === 0 && y.stage === 0 && x.oid === y.oid && x.mode === y.mode && sameFlags;
}
