/**
 * Which renames a merge has to know, so that no others are looked for. Two kinds: a file that one side took away and the other changed,
 * since the change belongs wherever the file went; and files of a directory that one side gave up while the other put something new
 * into it, since the new file may have to follow the rest.
 */
import type { MergeContext } from "./merge-context.ts";
import {
  BASE,
  directoryOf,
  hasAnyFile,
  hasFile,
  type MergeEntry,
  OURS,
  otherSide,
  type Side,
  THEIRS,
  type Version,
} from "./merge-entry.ts";

/** How much it matters where a directory went: not at all, for what lies below it, or for a new file in it. */
export type Interest = "none" | "for those below" | "for itself";

export interface SideChanges {
  /** Files that this side took away or brought, in tree order. */
  readonly changes: { readonly path: string; readonly deleted: boolean; readonly version: Version }[];
  /** Of those taken away: the ones to look for, and why. */
  readonly sought: Map<string, "content" | "location">;
  /** Directories that this side has no more. */
  readonly leftDirectories: Map<string, Interest>;
}

export type BothSides = readonly [ours: SideChanges, theirs: SideChanges];

/** After the survey: directories stand before what is in them. */
export function renameInterest({ paths }: MergeContext): BothSides {
  const newcomers = new Newcomers(paths);
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
  return { changes: [], sought: new Map(), leftDirectories: new Map() };
}

function noteDirectories(
  { leftDirectories }: SideChanges,
  path: string,
  entry: MergeEntry,
  side: Side,
  newcomers: Newcomers,
): void {
  const directory = directoryOf(path);
  const isWatched = newcomers.awaitsWord(directory);
  const { directories } = entry;
  if (directories[BASE] && !directories[side]) leftDirectories.set(path, isWatched ? "for those below" : "none");
  if (isWatched && isOnlyOf(entry, otherSide(side))) leftDirectories.set(directory, "for itself");
}

function noteFile(
  { changes, sought }: SideChanges,
  path: string,
  entry: MergeEntry,
  side: Side,
  newcomers: Newcomers,
): void {
  const had = hasFile(entry, BASE);
  if (!hasAnyFile(entry) || had === hasFile(entry, side)) return;
  changes.push({ path, deleted: had, version: entry.versions[had ? BASE : side] });
  if (!had) return;
  if (entry.alike === null) sought.set(path, "content");
  else if (newcomers.awaitsWord(directoryOf(path))) sought.set(path, "location");
}

/** A file that nobody else has: not the base either. */
function isOnlyOf({ versions }: MergeEntry, side: Side): boolean {
  return versions.every(({ mode }, who) => (mode !== 0) === (who === side));
}

/** New files in directories that the other side gave up. */
class Newcomers {
  readonly #paths: ReadonlyMap<string, MergeEntry>;
  /** By side: directories right in which it has a file of its own. */
  readonly #places: Record<Side, Set<string>> = { [OURS]: new Set(), [THEIRS]: new Set() };
  readonly #answers = new Map<string, boolean>([["", false]]);
  readonly #keepers = new Map<string, Side | null>([["", null]]);

  constructor(paths: ReadonlyMap<string, MergeEntry>) {
    this.#paths = paths;
    for (const [path, entry] of paths)
      for (const side of [OURS, THEIRS] as const)
        if (!entry.clean && isOnlyOf(entry, side)) this.#places[side].add(directoryOf(path));
  }

  /** Somebody put a file here, or into a directory above, and would like to know where the others went. */
  awaitsWord(directory: string): boolean {
    const known = this.#answers.get(directory);
    if (known !== undefined) return known;
    const keeper = this.#keeperOf(directory);
    const answer = this.awaitsWord(directoryOf(directory)) || (keeper !== null && this.#places[keeper].has(directory));
    this.#answers.set(directory, answer);
    return answer;
  }

  /** The one side that still has the directory, or one above it, that the base had. */
  #keeperOf(directory: string): Side | null {
    const known = this.#keepers.get(directory);
    if (known !== undefined) return known;
    const [base, ours, theirs] = this.#paths.get(directory)?.directories ?? [false, false, false];
    const keeper = base && ours !== theirs ? (ours ? OURS : THEIRS) : this.#keeperOf(directoryOf(directory));
    this.#keepers.set(directory, keeper);
    return keeper;
  }
}
