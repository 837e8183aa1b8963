/** Brings the versions of a renamed file together at its new path, and tells where the sides disagree about where it went. */
import { compareText } from "../bytes.ts";
import type { MovedRename } from "./directory-renames.ts";
import { mergeContent } from "./merge-content.ts";
import type { MergeContext } from "./merge-context.ts";
import { isFile, type MergeEntry, NOTHING, sameVersion, type Three } from "./merge-entry.ts";

export async function processRenames(context: MergeContext, given: readonly MovedRename[]): Promise<void> {
  const renames = [...given].sort((a, b) => compareText(a.from, b.from));
  for (let i = 0; i < renames.length; i++) {
    const rename = renames[i] as MovedRename;
    const old = context.paths.get(rename.from);
    // The other side left it as it was, or a moved directory took it along.
    if (old === undefined || old.clean) continue;
    const next = renames[i + 1];
    if (next?.from === rename.from) {
      await renamedByBoth(context, old, rename, next);
      i++;
    } else await renamedByOne(context, old, rename);
  }
}

async function renamedByBoth(
  context: MergeContext,
  base: MergeEntry,
  first: MovedRename,
  second: MovedRename,
): Promise<void> {
  const { paths, labels, messages } = context;
  const ours = paths.get(first.to) as MergeEntry;
  const theirs = paths.get(second.to) as MergeEntry;
  if (first.to === second.to) {
    ours.stages[0] = base.stages[0];
    ours.filemask |= 1;
    remove(base);
    return;
  }
  const places: Three<string> = [first.from, first.to, second.to];
  const versions: Three<MergeEntry["result"]> = [base.stages[0], ours.stages[1], theirs.stages[2]];
  const merged = await mergeContent(context, first.from, versions, places, 1 + 2 * context.depth);
  const isBinary = !merged.clean && sameVersion(merged.result, ours.stages[1]);
  ours.stages[1] = merged.result;
  if (!isBinary) theirs.stages[2] = merged.result;
  for (const entry of [ours, theirs, base]) entry.pathConflict = true;
  messages.add(
    first.from,
    `CONFLICT (rename/rename): ${first.from} renamed to ${first.to} in ${labels.ours} and to ${second.to} in ${labels.theirs}.`,
  );
}

async function renamedByOne(context: MergeContext, old: MergeEntry, { from, to, side }: MovedRename): Promise<void> {
  const { paths, labels, messages } = context;
  const fresh = paths.get(to) as MergeEntry;
  const other = (3 - side) as 1 | 2;
  const isDeleted = old.filemask === 1;
  const changesType = !isDeleted && isFile(old.stages[other].mode) !== isFile(fresh.stages[side].mode);
  // A link in the old place is no version of the file: the other side renamed it too, and put the link there.
  const collides = (fresh.filemask & (1 << other)) !== 0 && !changesType;
  const [renamer, deleter] = side === 1 ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
  const deletion = `CONFLICT (rename/delete): ${from} renamed to ${to} in ${renamer}, but deleted in ${deleter}.`;
  if (collides && !isDeleted) {
    const places: Three<string> = [from, from, from];
    places[side] = to;
    const versions: Three<MergeEntry["result"]> = [old.stages[0], old.stages[1], old.stages[2]];
    versions[side] = fresh.stages[side];
    const merged = await mergeContent(context, from, versions, places, 1 + 2 * context.depth);
    fresh.stages[side] = merged.result;
    if (!merged.clean) {
      messages.add(
        to,
        `CONFLICT (rename involved in collision): rename of ${from} -> ${to} has content conflicts AND collides with another path; this may result in nested conflict markers.`,
      );
    }
  } else if (collides) {
    fresh.pathConflict = true;
    messages.add(to, deletion);
  } else {
    fresh.stages[0] = old.stages[0];
    fresh.filemask |= 1;
    fresh.paths[0] = from;
    if (changesType) {
      old.stages[0] = NOTHING;
      old.filemask &= 6;
    } else if (isDeleted) {
      fresh.pathConflict = true;
      messages.add(to, deletion);
    } else {
      fresh.stages[other] = old.stages[other];
      fresh.filemask |= 1 << other;
      fresh.paths[other] = from;
    }
  }
  if (!changesType) remove(old);
}

function remove(entry: MergeEntry): void {
  entry.clean = true;
  entry.result = NOTHING;
}
