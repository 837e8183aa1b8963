/**
 * Three trees side by side. What is alike in all is taken as it is, unread; where one side is as the base, the other's file is taken;
 * the rest is left to be decided. On the way it is noted what each side deleted and added, and which of that a rename could matter
 * for: sources the other side changed, and files of directories that moved away while the other side put something new into them.
 */
import { compareText } from "../bytes.ts";
import { GitError } from "../errors.ts";
import { isTreeMode, MODE_TREE, type TreeEntry } from "../object/tree.ts";
import type { Oid } from "../oid.ts";
import { indexMode, readTreeEntries } from "../staging/read-tree.ts";
import type { MergeContext } from "./merge-context.ts";
import { createEntry, NOTHING, sameVersion, type Three, type Version } from "./merge-entry.ts";

export type Relevance = "none" | "ancestor" | "self";

export interface SideChanges {
  /** In tree order. */
  readonly changes: { readonly path: string; readonly deleted: boolean; readonly version: Version }[];
  readonly relevantSources: Map<string, "content" | "location">;
  /** Directories of the base that this side has no more. */
  readonly dirsRemoved: Map<string, Relevance>;
}

export type BothSides = readonly [ours: SideChanges, theirs: SideChanges];

export async function collectEntries(context: MergeContext, trees: Three<Oid>): Promise<BothSides> {
  const collector = new Collector(context);
  const [base, ours, theirs] = trees;
  if (base !== ours || base !== theirs) await collector.directory("", trees, 7, 0);
  else await collector.whole(base);
  return collector.sides;
}

class Collector {
  readonly sides: BothSides = [newSide(), newSide()];
  /** 0: nothing to look for; 2, 4: only that side has the directory still; 7: it put a file into it. */
  #renameMask = 0;

  constructor(readonly context: MergeContext) {}

  /** The root itself, when nothing differs at all. */
  async whole(tree: Oid): Promise<void> {
    for (const { name, mode, oid } of await readTreeEntries(this.context.repo.odb, tree)) {
      this.#resolve(name, { mode: isTreeMode(mode) ? MODE_TREE : indexMode(mode), oid });
    }
  }

  async directory(directory: string, trees: Three<Oid | null>, mask: number, depth: number): Promise<void> {
    const { repo } = this.context;
    if (depth > repo.limits.treeDepth)
      throw new GitError("ETOOBIG", `tree is deeper than ${repo.limits.treeDepth}: '${directory}'`);
    const lists: TreeEntry[][] = [];
    for (const [i, tree] of trees.entries()) {
      lists.push((mask & (1 << i)) !== 0 && tree !== null ? await readTreeEntries(repo.odb, tree) : []);
    }
    const rows = joinByName(lists);
    if (this.#renameMask === 2 || this.#renameMask === 4) {
      const wanted = this.#renameMask;
      if (rows.some(({ versions }) => filesIn(versions) === wanted)) this.#renameMask = 7;
    }
    for (const { name, versions } of rows) {
      const path = directory === "" ? name : `${directory}/${name}`;
      const before = this.#renameMask;
      await this.#path(directory, path, versions, depth);
      this.#renameMask = before;
    }
  }

  async #path(directory: string, path: string, versions: Three<Version>, depth: number): Promise<void> {
    const [base, ours, theirs] = versions;
    const filemask = filesIn(versions);
    const dirmask = directoriesIn(versions);
    const ourMatch = base.mode !== 0 && sameVersion(base, ours);
    const theirMatch = base.mode !== 0 && sameVersion(base, theirs);
    const sidesMatch = ours.mode !== 0 && sameVersion(ours, theirs);
    if (ourMatch && theirMatch) return this.#resolve(path, base);
    if (filemask === 7) {
      if (sidesMatch || theirMatch) return this.#resolve(path, ours);
      if (ourMatch) return this.#resolve(path, theirs);
    }
    const matchMask = ourMatch ? 3 : theirMatch ? 5 : sidesMatch ? 6 : 0;
    this.#noteRenames(directory, path, { versions, filemask, dirmask, matchMask: matchMask & filemask });
    this.context.paths.set(
      path,
      createEntry(path, {
        stages: [...versions],
        filemask,
        dirmask,
        matchMask: dirmask === 0 ? matchMask : matchMask & filemask,
        dfConflict: filemask !== 0 && dirmask !== 0,
      }),
    );
    if (dirmask === 0) return;
    const trees = versions.map(({ mode, oid }) => (mode === MODE_TREE ? oid : null)) as Three<Oid | null>;
    await this.directory(path, trees, dirmask, depth + 1);
  }

  #resolve(path: string, version: Version): void {
    this.context.paths.set(path, createEntry(path, { clean: true, result: version }));
  }

  #noteRenames(
    directory: string,
    path: string,
    {
      versions,
      filemask,
      dirmask,
      matchMask,
    }: { versions: Three<Version>; filemask: number; dirmask: number; matchMask: number },
  ): void {
    if (this.#renameMask !== 7 && (dirmask === 3 || dirmask === 5)) this.#renameMask = dirmask & ~1;
    if (dirmask === 1 || dirmask === 3 || dirmask === 5) {
      const relevance: Relevance = this.#renameMask === 7 ? "ancestor" : "none";
      for (const side of [1, 2] as const) {
        if ((dirmask & (1 << side)) === 0) this.sides[side - 1]?.dirsRemoved.set(path, relevance);
      }
    }
    if (this.#renameMask === 7 && (filemask === 2 || filemask === 4)) {
      this.sides[2 - (filemask >> 1)]?.dirsRemoved.set(directory, "self");
    }
    if (filemask === 0 || filemask === 7) return;
    for (const side of [1, 2] as const) {
      const has = (filemask & (1 << side)) !== 0;
      const had = (filemask & 1) !== 0;
      if (has === had) continue;
      const { changes, relevantSources } = this.sides[side - 1] as SideChanges;
      if (had && matchMask === 0) relevantSources.set(path, "content");
      else if (had && this.#renameMask === 7) relevantSources.set(path, "location");
      changes.push({ path, deleted: had, version: versions[had ? 0 : side] });
    }
  }
}

function newSide(): SideChanges {
  return { changes: [], relevantSources: new Map(), dirsRemoved: new Map() };
}

function joinByName(lists: readonly (readonly TreeEntry[])[]): { name: string; versions: Three<Version> }[] {
  const rows = new Map<string, Three<Version>>();
  for (const [i, list] of lists.entries()) {
    for (const { name, mode, oid } of list) {
      let versions = rows.get(name);
      if (versions === undefined) {
        versions = [NOTHING, NOTHING, NOTHING];
        rows.set(name, versions);
      }
      versions[i] = { mode: isTreeMode(mode) ? MODE_TREE : indexMode(mode), oid };
    }
  }
  return [...rows.keys()].sort(compareText).map((name) => ({ name, versions: rows.get(name) as Three<Version> }));
}

function filesIn(versions: Three<Version>): number {
  return maskOf(versions, ({ mode }) => mode !== 0 && mode !== MODE_TREE);
}

function directoriesIn(versions: Three<Version>): number {
  return maskOf(versions, ({ mode }) => mode === MODE_TREE);
}

function maskOf(versions: Three<Version>, has: (version: Version) => boolean): number {
  return versions.reduce((mask, version, i) => (has(version) ? mask | (1 << i) : mask), 0);
}
