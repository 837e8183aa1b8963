/**
 * If one side renamed a directory and the other added files to it, those files follow: moved with `merge.directoryRenames=true`,
 * reported as a conflict by default.
 */
import type { SidePair, SideRenames } from "./detect-side-renames.ts";
import type { MergeContext } from "./merge-context.ts";
import {
  createEntry,
  hasDirectory,
  hasFile,
  type MergeEntry,
  NOTHING,
  OURS,
  parentDirectory,
  type Side,
  THEIRS,
} from "./merge-entry.ts";

/** Old directory to new. */
type Moves = ReadonlyMap<string, string>;

export interface MovedRename extends SidePair {
  readonly side: Side;
}

type DirectoryRenameMode = "true" | "false" | "conflict";

/** All renames of both sides that remain to be merged, by source. */
export function applyDirectoryRenames(context: MergeContext, both: readonly [SideRenames, SideRenames]): MovedRename[] {
  const mode = context.depth > 0 ? "false" : directoryRenameMode(context);
  const moves = both.map(({ votes }) => (mode === "false" ? new Map() : movesOf(context, votes.result()))) as [
    Map<string, string>,
    Map<string, string>,
  ];
  for (const directory of [...moves[0].keys()]) {
    // Renamed by both sides: the individual files decide.
    if (moves[1].delete(directory)) moves[0].delete(directory);
  }
  const collisions = [collisionsOf(both[0].pairs, moves[1]), collisionsOf(both[1].pairs, moves[0])] as const;
  const ours = {
    side: OURS,
    moves: moves[1],
    ownMoves: moves[0],
    collisions: collisions[0],
    others: collisions[1],
  } as const;
  const theirs = {
    side: THEIRS,
    moves: moves[0],
    ownMoves: moves[1],
    collisions: collisions[1],
    others: collisions[0],
  } as const;
  return [...collect(context, both[0].pairs, ours, mode), ...collect(context, both[1].pairs, theirs, mode)];
}

function directoryRenameMode({ repo: { config } }: MergeContext): DirectoryRenameMode {
  const value = config.get("merge.directoryrenames");
  if (value === undefined || value.toLowerCase() === "conflict") return "conflict";
  return config.getBool("merge.directoryrenames") ? "true" : "false";
}

function movesOf(
  { messages }: MergeContext,
  { moved, undecided }: ReturnType<SideRenames["votes"]["result"]>,
): Map<string, string> {
  for (const directory of undecided) {
    messages.addDoubt(
      directory,
      `CONFLICT (directory rename split): Unclear where to rename ${directory} to; it was renamed to multiple other directories, with no destination getting a majority of the files.`,
    );
  }
  return moved;
}

interface Collision {
  readonly sources: string[];
  reported: boolean;
}

interface SideMoves {
  readonly side: Side;
  /** Renamed by the other side: files of this one follow. */
  readonly moves: Moves;
  readonly ownMoves: Moves;
  /** Target paths of files of this side, and of the other. */
  readonly collisions: ReadonlyMap<string, Collision>;
  readonly others: ReadonlyMap<string, Collision>;
}

function collisionsOf(pairs: readonly SidePair[], moves: Moves): Map<string, Collision> {
  const collisions = new Map<string, Collision>();
  for (const { kind, to } of pairs) {
    const moved = kind === "deleted" ? null : movedPath(moves, to);
    if (moved === null) continue;
    const known = collisions.get(moved.path);
    if (known) known.sources.push(to);
    else collisions.set(moved.path, { sources: [to], reported: false });
  }
  return collisions;
}

function collect(
  context: MergeContext,
  pairs: readonly SidePair[],
  side: SideMoves,
  mode: DirectoryRenameMode,
): MovedRename[] {
  const renames: MovedRename[] = [];
  for (const pair of pairs) {
    if (pair.kind === "deleted") continue;
    const fresh = newPath(context, pair.to, side);
    if (pair.kind === "added" && fresh === null) continue;
    const rename: MovedRename = { ...pair, side: side.side };
    if (fresh !== null) moveEntry(context, rename, fresh, mode);
    renames.push(rename);
  }
  return renames;
}

function movedPath(moves: Moves, path: string): { from: string; to: string; path: string } | null {
  for (let directory = parentDirectory(path); ; directory = parentDirectory(directory)) {
    const to = moves.get(directory);
    if (to !== undefined) {
      const rest = directory === "" ? path : path.slice(directory.length + 1);
      return { from: directory, to, path: to === "" ? rest : `${to}/${rest}` };
    }
    if (directory === "") return null;
  }
}

function newPath(
  { paths, messages }: MergeContext,
  path: string,
  { side, moves, ownMoves, collisions, others }: SideMoves,
): string | null {
  // The other side has an entry for this path.
  if (others.has(path)) return null;
  const moved = movedPath(moves, path);
  if (moved === null) return null;
  if (ownMoves.has(moved.to)) {
    const reason = `because ${moved.to} itself was renamed.`;
    messages.add(moved.from, `WARNING: Avoiding applying ${moved.from} -> ${moved.to} rename to ${path}, ${reason}`);
    return null;
  }
  const collision = collisions.get(moved.path) as Collision;
  if (collision.reported) return null;
  const sources = collision.sources.join(", ");
  const there = paths.get(moved.path);
  if (there !== undefined && (there.clean || hasFile(there, side) || there.directories[side])) {
    collision.reported = true;
    messages.addDoubt(
      moved.path,
      `CONFLICT (implicit dir rename): Existing file/dir at ${moved.path} in the way of implicit directory rename(s) putting the following path(s) there: ${sources}.`,
    );
    return null;
  }
  if (collision.sources.length > 1) {
    collision.reported = true;
    messages.addDoubt(
      moved.path,
      `CONFLICT (implicit dir rename): Cannot map more than one path to ${moved.path}; implicit directory renames tried to put these paths there: ${sources}`,
    );
    return null;
  }
  return moved.path;
}

function moveEntry(context: MergeContext, rename: MovedRename, fresh: string, mode: DirectoryRenameMode): void {
  const { paths, labels, messages } = context;
  const old = rename.to;
  let entry = paths.get(old) as MergeEntry;
  if (hasDirectory(entry)) {
    paths.set(old, { ...entry, versions: [NOTHING, NOTHING, NOTHING], dfConflict: false });
    entry = { ...entry, directories: [false, false, false], dfConflict: false };
  } else paths.delete(old);
  const owner: Side = hasFile(entry, OURS) ? OURS : THEIRS;
  addParents(paths, fresh);
  const there = paths.get(fresh);
  if (there === undefined) paths.set(fresh, entry);
  else {
    if (hasDirectory(there)) there.dfConflict = true;
    there.places[owner] = entry.places[owner];
    there.versions[owner] = entry.versions[owner];
    entry = there;
  }
  const [newIn, movedIn] = owner === OURS ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
  const what = rename.kind === "added" ? `${old} added in ${newIn}` : `${rename.from} renamed to ${old} in ${newIn},`;
  if (mode === "true") {
    messages.add(
      fresh,
      `Path updated: ${what} inside a directory that was renamed in ${movedIn}; moving it to ${fresh}.`,
    );
  } else {
    entry.pathConflict = true;
    messages.add(
      fresh,
      `CONFLICT (file location): ${what} inside a directory that was renamed in ${movedIn}, suggesting it should perhaps be moved to ${fresh}.`,
    );
  }
  rename.to = fresh;
}

/** Directories that exist only because of the move. */
function addParents(paths: Map<string, MergeEntry>, path: string): void {
  for (
    let directory = parentDirectory(path);
    directory !== "" && !paths.has(directory);
    directory = parentDirectory(directory)
  ) {
    paths.set(directory, createEntry(directory));
  }
}
