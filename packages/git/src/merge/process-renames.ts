/** Combines the versions of a renamed file at its new path, and reports where the sides disagree about the target. */
import { isFileMode } from "../object/file-mode.ts";
import { compareText } from "../text/bytes.ts";
import { groupBy } from "../text/group-by.ts";
import type { MovedRename } from "./directory-renames.ts";
import { mergeContent } from "./merge-content.ts";
import type { MergeContext } from "./merge-context.ts";
import {
  BASE,
  hasFile,
  isGoneFromBoth,
  type MergeEntry,
  NOTHING,
  OURS,
  otherSide,
  sameVersion,
  THEIRS,
  type Triple,
} from "./merge-entry.ts";

export async function processRenames(context: MergeContext, input: readonly MovedRename[]): Promise<void> {
  const bySource = groupBy(input, ({ from }) => from);
  for (const from of [...bySource.keys()].sort(compareText)) {
    const old = context.paths.get(from);
    // The other side left it unchanged, or a directory rename moved it.
    if (old === undefined || old.clean) continue;
    const [first, second] = bySource.get(from) as [MovedRename, MovedRename?];
    if (second === undefined) await renamedByOne(context, old, first);
    else await renamedByBoth(context, old, first, second);
  }
}

async function renamedByBoth(
  context: MergeContext,
  old: MergeEntry,
  first: MovedRename,
  second: MovedRename,
): Promise<void> {
  const { paths, labels, messages } = context;
  const ours = paths.get(first.to) as MergeEntry;
  const theirs = paths.get(second.to) as MergeEntry;
  if (first.to === second.to) {
    ours.versions[BASE] = old.versions[BASE];
    remove(old);
    return;
  }
  const positions: Triple<string> = [first.from, first.to, second.to];
  const versions: MergeEntry["versions"] = [old.versions[BASE], ours.versions[OURS], theirs.versions[THEIRS]];
  const merged = await mergeContent(context, first.from, versions, positions, 1 + 2 * context.depth);
  const isUnmergeable = !merged.clean && sameVersion(merged.result, ours.versions[OURS]);
  ours.versions[OURS] = merged.result;
  if (!isUnmergeable) theirs.versions[THEIRS] = merged.result;
  for (const entry of [ours, theirs, old]) entry.pathConflict = true;
  messages.add(
    first.from,
    `CONFLICT (rename/rename): ${first.from} renamed to ${first.to} in ${labels.ours} and to ${second.to} in ${labels.theirs}.`,
  );
}

async function renamedByOne(context: MergeContext, old: MergeEntry, { from, to, side }: MovedRename): Promise<void> {
  const { paths, labels, messages } = context;
  const fresh = paths.get(to) as MergeEntry;
  const other = otherSide(side);
  const isDeleted = isGoneFromBoth(old);
  const printDeletion = () => {
    const [renamer, deleter] = side === OURS ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
    fresh.pathConflict = true;
    messages.add(to, `CONFLICT (rename/delete): ${from} renamed to ${to} in ${renamer}, but deleted in ${deleter}.`);
  };
  // A link at the old path is not a version of the file: the other side renamed it too, and put the link there.
  if (!isDeleted && isFileMode(old.versions[other].mode) !== isFileMode(fresh.versions[side].mode)) {
    moveVersion(old, fresh, BASE, from);
    old.versions[BASE] = NOTHING;
    return;
  }
  if (!hasFile(fresh, other)) {
    moveVersion(old, fresh, BASE, from);
    if (isDeleted) printDeletion();
    else moveVersion(old, fresh, other, from);
  } else if (isDeleted) printDeletion();
  else await joinAtTaken(context, old, fresh, { from, to, side });
  remove(old);
}

/** The other side has a different file at the new path: the rename is merged first, then both at that path. */
async function joinAtTaken(
  context: MergeContext,
  old: MergeEntry,
  fresh: MergeEntry,
  { from, to, side }: Pick<MovedRename, "from" | "to" | "side">,
): Promise<void> {
  const positions: Triple<string> = [from, from, from];
  positions[side] = to;
  const versions: MergeEntry["versions"] = [...old.versions];
  versions[side] = fresh.versions[side];
  const merged = await mergeContent(context, from, versions, positions, 1 + 2 * context.depth);
  fresh.versions[side] = merged.result;
  if (merged.clean) return;
  context.messages.add(
    to,
    `CONFLICT (rename involved in collision): rename of ${from} -> ${to} has content conflicts AND collides with another path; this may result in nested conflict markers.`,
  );
}

function moveVersion(old: MergeEntry, fresh: MergeEntry, who: 0 | 1 | 2, from: string): void {
  fresh.versions[who] = old.versions[who];
  fresh.places[who] = from;
}

function remove(entry: MergeEntry): void {
  entry.clean = true;
  entry.result = NOTHING;
}
