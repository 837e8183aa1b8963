/**
 * Selects the renames that a merge needs, so that no others are searched. Two kinds: a file that one side removed and the other
 * changed, since the change belongs wherever the file went; and files of a directory that one side removed while the other added
 * something to it, since the new file may have to follow the rest.
 */
import type { MergeContext } from "./merge-context.ts";
import {
  BASE,
  type FileVersion,
  hasAnyFile,
  hasFile,
  type MergeEntry,
  OURS,
  otherSide,
  parentDirectory,
  type Side,
  THEIRS,
} from "./merge-entry.ts";

/** Whether a directory's rename matters: not at all, for entries below it, or for a new file in it. */
export type DirectoryRelevance = "none" | "for those below" | "for itself";

export interface SideChanges {
  /** Files that this side removed or added, in tree order. */
  readonly changes: { readonly path: string; readonly deleted: boolean; readonly version: FileVersion }[];
  /** Of the removed ones: those to search, and why. */
  readonly relevantSources: Map<string, "content" | "location">;
  /** Directories that this side removed. */
  readonly removedDirectories: Map<string, DirectoryRelevance>;
}

type BothSides = readonly [ours: SideChanges, theirs: SideChanges];

/** Runs after the walk: directories come before their contents. */
export function relevantRenames({ paths }: MergeContext): BothSides {
  const newcomers = new AddedFiles(paths);
  const both: BothSides = [newSide(), newSide()];
  for (const [path, entry] of paths) {
    if (entry.clean) continue;
    for (const side of [OURS, THEIRS] as const) {
      const own = both[side - 1] as SideChanges;
      noteDirectories(own, path, entry, side, newcomers);
      noteFile(own, path, entry, side, newcomers);
    }
  }
  return both;
}

function newSide(): SideChanges {
  return { changes: [], relevantSources: new Map(), removedDirectories: new Map() };
}

function noteDirectories(
  { removedDirectories }: SideChanges,
  path: string,
  entry: MergeEntry,
  side: Side,
  newcomers: AddedFiles,
): void {
  const directory = parentDirectory(path);
  const isWatched = newcomers.needsDirectoryRename(directory);
  const { directories } = entry;
  if (directories[BASE] && !directories[side]) removedDirectories.set(path, isWatched ? "for those below" : "none");
  if (isWatched && isOnlyOf(entry, otherSide(side))) removedDirectories.set(directory, "for itself");
}

function noteFile(
  { changes, relevantSources }: SideChanges,
  path: string,
  entry: MergeEntry,
  side: Side,
  newcomers: AddedFiles,
): void {
  const had = hasFile(entry, BASE);
  if (!hasAnyFile(entry) || had === hasFile(entry, side)) return;
  changes.push({ path, deleted: had, version: entry.versions[had ? BASE : side] });
  if (!had) return;
  if (entry.matchMask === null) relevantSources.set(path, "content");
  else if (newcomers.needsDirectoryRename(parentDirectory(path))) relevantSources.set(path, "location");
}

/** A file of one side only, not in the base. */
function isOnlyOf({ versions }: MergeEntry, side: Side): boolean {
  return versions.every(({ mode }, who) => (mode !== 0) === (who === side));
}

/** New files in directories that the other side removed. */
class AddedFiles {
  readonly #paths: ReadonlyMap<string, MergeEntry>;
  /** By side: directories that directly contain a new file of it. */
  readonly #places: Record<Side, Set<string>> = { [OURS]: new Set(), [THEIRS]: new Set() };
  readonly #answers = new Map<string, boolean>([["", false]]);
  readonly #keepers = new Map<string, Side | null>([["", null]]);

  constructor(paths: ReadonlyMap<string, MergeEntry>) {
    this.#paths = paths;
    for (const [path, entry] of paths)
      for (const side of [OURS, THEIRS] as const)
        if (!entry.clean && isOnlyOf(entry, side)) this.#places[side].add(parentDirectory(path));
  }

  /** True if one side added files to a directory, or one above it, that the other removed. */
  needsDirectoryRename(directory: string): boolean {
    const known = this.#answers.get(directory);
    if (known !== undefined) return known;
    const keeper = this.#keeperOf(directory);
    const answer =
      this.needsDirectoryRename(parentDirectory(directory)) || (keeper !== null && this.#places[keeper].has(directory));
    this.#answers.set(directory, answer);
    return answer;
  }

  /** The one side that still has the directory, or one above it, that the base had. */
  #keeperOf(directory: string): Side | null {
    const known = this.#keepers.get(directory);
    if (known !== undefined) return known;
    const [base, ours, theirs] = this.#paths.get(directory)?.directories ?? [false, false, false];
    const keeper = base && ours !== theirs ? (ours ? OURS : THEIRS) : this.#keeperOf(parentDirectory(directory));
    this.#keepers.set(directory, keeper);
    return keeper;
  }
}
