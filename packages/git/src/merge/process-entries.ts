/**
 * Resolves every path and builds the resulting tree bottom-up: whether a directory remains, and so conflicts with a file of its
 * name, is known once all its entries are resolved.
 */
import { MODE_TREE } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { compareText } from "../text/bytes.ts";
import { type MergeContext, uniquePath } from "./merge-context.ts";
import {
  createEntry,
  hasAnyFile,
  hasDirectory,
  hasFile,
  isGoneFromBoth,
  type MergeEntry,
  NOTHING,
  OURS,
  type Side,
  THEIRS,
} from "./merge-entry.ts";
import { resolveFile } from "./resolve-file.ts";
import { TreeBuilder } from "./tree-builder.ts";

/** The tree, including conflict markers. */
export async function processEntries(context: MergeContext): Promise<Oid> {
  const trees = new TreeBuilder();
  const bottomUp = [...context.paths.keys()].sort((a, b) => compareText(asSorted(b), asSorted(a)));
  for (const path of bottomUp) {
    const entry = context.paths.get(path) as MergeEntry;
    const built = trees.close(path);
    if (built !== null) entry.result = built;
    if (entry.clean) trees.add(path, entry.result);
    else await settlePath(context, trees, path, entry, built !== null);
  }
  return trees.finish(context.repo.odb);
}

/** A directory comes right before its contents. */
function asSorted(path: string): string {
  return path.replaceAll("/", () => "\0");
}

async function settlePath(
  context: MergeContext,
  trees: TreeBuilder,
  path: string,
  entry: MergeEntry,
  staysDirectory: boolean,
): Promise<void> {
  if (hasDirectory(entry) && !staysDirectory) entry.result = NOTHING;
  const isOnlyDirectory = !hasAnyFile(entry) && entry.result.mode === MODE_TREE;
  if (hasDirectory(entry) || isOnlyDirectory) trees.add(path, entry.result);
  if (!hasAnyFile(entry)) return;
  if (!entry.dfConflict) return finish(context, trees, path, entry, null);
  if (!staysDirectory) {
    entry.dfConflict = false;
    entry.directories = [false, false, false];
    return finish(context, trees, path, entry, null);
  }
  if (isFreelyGone(entry)) return void forgetFiles(entry);
  const side: Side = entry.directories[OURS] ? THEIRS : OURS;
  const file: MergeEntry = {
    ...entry,
    versions: [...entry.versions],
    places: [...entry.places],
    directories: [false, false, false],
    movedFrom: path,
  };
  forgetFiles(entry);
  const branch = side === OURS ? context.labels.ours : context.labels.theirs;
  const aside = uniquePath(context, path, branch);
  context.paths.set(aside, file);
  context.messages.add(
    aside,
    `CONFLICT (file/directory): directory in the way of ${path} from ${branch}; moving it to ${aside} instead.`,
  );
  return finish(context, trees, aside, file, side);
}

/** The file is removed, or only an unchanged version remains: the directory may have the name. */
function isFreelyGone(entry: MergeEntry): boolean {
  if (isGoneFromBoth(entry)) return true;
  if (entry.matchMask === "ours and base") return !hasFile(entry, THEIRS);
  return entry.matchMask === "theirs and base" && !hasFile(entry, OURS);
}

function forgetFiles(entry: MergeEntry): void {
  entry.versions = createEntry("").versions;
}

/** `aside`: the side whose file had to make way for a directory. */
async function finish(
  context: MergeContext,
  trees: TreeBuilder,
  path: string,
  entry: MergeEntry,
  aside: Side | null,
): Promise<void> {
  entry.clean = false;
  for (const settled of await resolveFile(context, path, entry, aside)) {
    if (!settled.entry.clean) context.conflicted.set(settled.path, settled.entry);
    trees.add(settled.path, settled.entry.result);
  }
}
