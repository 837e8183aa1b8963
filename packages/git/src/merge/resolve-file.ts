/**
 * Resolves three versions of one file to a result or a conflict. An unchanged side yields to the other; changes of both are merged
 * line by line; modify/delete and type changes remain as conflicts.
 */
import { isFileMode, isGitlinkMode, isSameType } from "../object/file-mode.ts";
import { isSameNormalized, mergeContent } from "./merge-content.ts";
import { type MergeContext, uniquePath } from "./merge-context.ts";
import { BASE, type FileVersion, hasFile, type MergeEntry, NOTHING, OURS, type Side, THEIRS } from "./merge-entry.ts";

/** Resulting entries: at the path itself, or two beside it. */
interface SettledFile {
  readonly path: string;
  readonly entry: MergeEntry;
}

/** `aside`: the side whose file had to make way for a directory. */
export async function resolveFile(
  context: MergeContext,
  path: string,
  entry: MergeEntry,
  aside: Side | null,
): Promise<SettledFile[]> {
  const certain = !entry.dfConflict && !entry.pathConflict;
  const [inOurs, inTheirs] = [hasFile(entry, OURS), hasFile(entry, THEIRS)];
  if (entry.matchMask !== null) takeChanged(entry, certain);
  else if (inOurs && inTheirs) {
    const [, ours, theirs] = entry.versions;
    if (!isSameType(ours.mode, theirs.mode)) return keepBoth(context, path, entry);
    await mergeBoth(context, path, entry, certain, aside);
  } else if (hasFile(entry, BASE) && (inOurs || inTheirs)) {
    await keepModified(context, path, entry, inOurs ? OURS : THEIRS);
  } else if (inOurs || inTheirs) {
    entry.result = entry.versions[inOurs ? OURS : THEIRS];
    entry.clean = certain;
  } else {
    entry.result = NOTHING;
    entry.clean = !entry.pathConflict;
  }
  return [{ path, entry }];
}

/** If two versions are equal the third is taken, even if it is a removal; if both sides are equal, either. */
function takeChanged(entry: MergeEntry, certain: boolean): void {
  entry.result = entry.versions[entry.matchMask === "ours and base" ? THEIRS : OURS];
  entry.clean = certain || (entry.matchMask !== "both sides" && entry.result.mode === 0);
}

async function mergeBoth(
  context: MergeContext,
  path: string,
  entry: MergeEntry,
  certain: boolean,
  aside: Side | null,
): Promise<void> {
  const merged = await mergeContent(context, path, entry.versions, entry.places, context.depth * 2);
  entry.clean = merged.clean && certain;
  entry.result = merged.result;
  if (!merged.clean) {
    const isNew = !hasFile(entry, BASE);
    const kind = isGitlinkMode(merged.result.mode) ? "submodule" : isNew ? "add/add" : "content";
    context.messages.add(path, `CONFLICT (${kind}): Merge conflict in ${path}`);
  } else if (aside !== null) {
    // Only its path is in conflict: one version of it is left.
    entry.versions = [NOTHING, NOTHING, NOTHING];
    entry.versions[aside] = merged.result;
  }
}

async function keepModified(context: MergeContext, path: string, entry: MergeEntry, side: Side): Promise<void> {
  const { labels, messages, options, depth } = context;
  const [base, changed] = [entry.versions[BASE], entry.versions[side]];
  // In a virtual base, both sides can be compared with the old version.
  entry.result = depth > 0 ? base : changed;
  if (options.renormalize && (await isSameNormalized(context, path, base, changed))) {
    if (entry.pathConflict) return;
    entry.result = NOTHING;
    entry.dfConflict = false;
    entry.clean = true;
    return;
  }
  if (entry.pathConflict && base.oid === changed.oid) return;
  const [keeper, deleter] = side === OURS ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
  messages.add(
    path,
    `CONFLICT (modify/delete): ${path} deleted in ${deleter} and modified in ${keeper}.  Version ${keeper} of ${path} left in tree.`,
  );
}

/** Different types (file, link, submodule): each gets its own path, and a regular file the preferred one. */
function keepBoth(context: MergeContext, path: string, entry: MergeEntry): SettledFile[] {
  const [base, ours, theirs] = entry.versions;
  if (context.depth > 0) {
    entry.result = base;
    return [{ path, entry }];
  }
  const { labels, messages, paths } = context;
  const theirsMoves = !isFileMode(ours.mode);
  const oursMoves = !theirsMoves || !isFileMode(theirs.mode);
  const ourPath = oursMoves ? uniquePath(context, path, labels.ours) : path;
  const theirPath = theirsMoves ? uniquePath(context, path, labels.theirs) : path;
  const which = oursMoves && theirsMoves ? "both of them" : "one of them";
  messages.add(
    path,
    `CONFLICT (distinct types): ${path} had different types on each side; renamed ${which} so each can be recorded somewhere.`,
  );
  const baseOf = (version: FileVersion) => (isSameType(version.mode, base.mode) ? base : NOTHING);
  const other: MergeEntry = { ...entry, versions: [baseOf(theirs), NOTHING, theirs], result: theirs };
  if (theirsMoves) other.movedFrom = path;
  if (oursMoves) entry.movedFrom = path;
  entry.versions = [baseOf(ours), ours, NOTHING];
  entry.result = ours;
  if (oursMoves && theirsMoves) paths.delete(path);
  if (oursMoves) paths.set(ourPath, entry);
  paths.set(theirPath, other);
  return [
    { path: theirPath, entry: other },
    { path: ourPath, entry },
  ];
}
