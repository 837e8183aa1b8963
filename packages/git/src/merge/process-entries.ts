/**
 * Decides every path, the deepest first, and builds the trees on the way: a file in whose place a directory stays is known to be in
 * the way only when the directory is done.
 */
import { compareText } from "../bytes.ts";
import { hashObject } from "../hash/hash-object.ts";
import { MODE_TREE, serializeTree, type TreeEntry } from "../object/tree.ts";
import type { GitObject } from "../object-database.ts";
import type { Oid } from "../oid.ts";
import { isSameNormalized, mergeContent } from "./merge-content.ts";
import { type MergeContext, uniquePath } from "./merge-context.ts";
import {
  directoryOf,
  isFile,
  isSubmodule,
  type MergeEntry,
  NOTHING,
  type Three,
  typeOf,
  type Version,
} from "./merge-entry.ts";

/** The tree that comes out, conflicts and all. */
export async function processEntries(context: MergeContext): Promise<Oid> {
  const trees = new TreeBuilder();
  for (const path of [...context.paths.keys()].sort((a, b) => compareText(sortKey(b), sortKey(a)))) {
    const entry = context.paths.get(path) as MergeEntry;
    const directory = trees.close(path);
    if (directory !== null) entry.result = directory;
    else if (entry.dirmask !== 0 && !entry.clean) entry.result = NOTHING;
    if (entry.clean) trees.add(path, entry.result);
    else await processEntry(context, trees, path, entry);
  }
  return trees.finish(context);
}

/** A directory comes right before what is in it. */
function sortKey(path: string): string {
  return path.replaceAll("/", () => "\0");
}

class TreeBuilder {
  readonly #open = new Map<string, TreeEntry[]>();
  readonly #objects = new Map<Oid, GitObject>();

  add(path: string, { mode, oid }: Version): void {
    if (mode === 0) return;
    const directory = directoryOf(path);
    const entry = { mode, name: directory === "" ? path : path.slice(directory.length + 1), oid };
    const list = this.#open.get(directory);
    if (list) list.push(entry);
    else this.#open.set(directory, [entry]);
  }

  /** Null: nothing is in it. */
  close(directory: string): Version | null {
    const entries = this.#open.get(directory);
    if (entries === undefined) return null;
    this.#open.delete(directory);
    const body = serializeTree(entries);
    const oid = hashObject("tree", body);
    this.#objects.set(oid, { type: "tree", body });
    return { mode: MODE_TREE, oid };
  }

  async finish({ repo: { odb } }: MergeContext): Promise<Oid> {
    const root = this.close("");
    // Everybody knows the empty tree, but a commit must not name one that is stored nowhere.
    if (root === null) return odb.write("tree", new Uint8Array(0));
    const missing = await odb.missing([...this.#objects.keys()]);
    await odb.writeMany(missing.map((oid) => this.#objects.get(oid) as GitObject));
    return root.oid;
  }
}

async function processEntry(
  context: MergeContext,
  trees: TreeBuilder,
  given: string,
  start: MergeEntry,
): Promise<void> {
  let path = given;
  let entry = start;
  let fileSide: 0 | 1 | 2 = 0;
  if (entry.dirmask !== 0 || (entry.filemask === 0 && entry.result.mode === MODE_TREE)) trees.add(path, entry.result);
  if (entry.filemask === 0) return;
  if (entry.dfConflict && entry.result.mode === 0) {
    entry.dfConflict = false;
    withoutDirectories(entry);
  } else if (entry.dfConflict) {
    // Gone on both sides, or gone on one and untouched on the other: the directory has the name.
    const isGone = entry.filemask === 1 || (entry.matchMask !== 6 && entry.filemask === entry.matchMask);
    if (isGone) {
      entry.filemask = 0;
      return;
    }
    const moved: MergeEntry = { ...entry, stages: [...entry.stages], paths: [...entry.paths] };
    fileSide = (entry.dirmask & 2) !== 0 ? 2 : 1;
    withoutDirectories(moved);
    const branch = fileSide === 1 ? context.labels.ours : context.labels.theirs;
    path = uniquePath(context, path, branch);
    context.paths.set(path, moved);
    context.messages.add(
      path,
      `CONFLICT (file/directory): directory in the way of ${given} from ${branch}; moving it to ${path} instead.`,
    );
    entry.filemask = 0;
    entry = moved;
  }
  path = await decide(context, trees, path, entry, fileSide);
  if (!entry.clean) context.conflicted.set(path, entry);
  trees.add(path, entry.result);
}

function withoutDirectories(entry: MergeEntry): void {
  entry.matchMask &= ~entry.dirmask;
  entry.dirmask = 0;
  entry.clean = false;
  entry.stages = entry.stages.map((version, i) =>
    (entry.filemask & (1 << i)) !== 0 ? version : NOTHING,
  ) as Three<Version>;
}

/** Sets `clean` and `result`; the path may become another. */
async function decide(
  context: MergeContext,
  trees: TreeBuilder,
  path: string,
  entry: MergeEntry,
  fileSide: 0 | 1 | 2,
): Promise<string> {
  const { filemask, stages, matchMask } = entry;
  const settled = !entry.dfConflict && !entry.pathConflict;
  if (matchMask !== 0) {
    const side = matchMask === 6 || matchMask === 5 ? 1 : 2;
    entry.result = stages[side];
    entry.clean = settled || (matchMask !== 6 && entry.result.mode === 0);
    return path;
  }
  if (filemask >= 6 && typeOf(stages[1].mode) !== typeOf(stages[2].mode))
    return distinctTypes(context, trees, path, entry);
  if (filemask >= 6) {
    const merged = await mergeContent(context, path, stages, entry.paths, context.depth * 2);
    entry.clean = merged.clean && settled;
    entry.result = merged.result;
    if (merged.clean && entry.dfConflict) {
      entry.filemask = 1 << fileSide;
      stages[fileSide] = merged.result;
    }
    if (!merged.clean) {
      const reason = isSubmodule(merged.result.mode) ? "submodule" : filemask === 6 ? "add/add" : "content";
      context.messages.add(path, `CONFLICT (${reason}): Merge conflict in ${path}`);
    }
    return path;
  }
  if (filemask === 3 || filemask === 5) {
    await modifiedAndDeleted(context, path, entry);
    return path;
  }
  if (filemask === 1) {
    entry.result = NOTHING;
    entry.clean = !entry.pathConflict;
  } else {
    entry.result = stages[filemask === 4 ? 2 : 1];
    entry.clean = settled;
  }
  return path;
}

async function modifiedAndDeleted(context: MergeContext, path: string, entry: MergeEntry): Promise<void> {
  const { labels, messages, options, repo } = context;
  const side = entry.filemask === 5 ? 2 : 1;
  entry.result = entry.stages[context.depth > 0 ? 0 : side];
  entry.clean = false;
  const [base, changed] = [entry.stages[0], entry.stages[side]];
  if (options.renormalize && (await isSameNormalized(repo, path, base, changed))) {
    if (entry.pathConflict) return;
    entry.result = NOTHING;
    entry.clean = true;
    entry.dfConflict = false;
    return;
  }
  if (entry.pathConflict && base.oid === changed.oid) return;
  const [modifier, deleter] = side === 1 ? [labels.ours, labels.theirs] : [labels.theirs, labels.ours];
  messages.add(
    path,
    `CONFLICT (modify/delete): ${path} deleted in ${deleter} and modified in ${modifier}.  Version ${modifier} of ${path} left in tree.`,
  );
}

/** A file here, a link or submodule there: each gets a place of its own. */
function distinctTypes(context: MergeContext, trees: TreeBuilder, path: string, entry: MergeEntry): string {
  entry.clean = false;
  const { stages } = entry;
  if (context.depth > 0) {
    entry.result = stages[0];
    return path;
  }
  const { labels, messages, paths, conflicted } = context;
  const [base, ours, theirs] = stages;
  const movesOurs = isFile(ours.mode) || !isFile(theirs.mode);
  const movesTheirs = !isFile(ours.mode);
  const ourPath = movesOurs ? uniquePath(context, path, labels.ours) : path;
  const theirPath = movesTheirs ? uniquePath(context, path, labels.theirs) : path;
  const which = movesOurs && movesTheirs ? "both of them" : "one of them";
  messages.add(
    path,
    `CONFLICT (distinct types): ${path} had different types on each side; renamed ${which} so each can be recorded somewhere.`,
  );
  const baseIf = (version: Version) => (typeOf(version.mode) === typeOf(base.mode) ? base : NOTHING);
  const other: MergeEntry = { ...entry, stages: [baseIf(theirs), NOTHING, theirs], result: theirs };
  other.filemask = other.stages[0].mode === 0 ? 4 : 5;
  entry.stages = [baseIf(ours), ours, NOTHING];
  entry.filemask = entry.stages[0].mode === 0 ? 2 : 3;
  entry.result = ours;
  if (movesOurs) paths.set(ourPath, entry);
  paths.set(theirPath, other);
  if (movesOurs && movesTheirs) paths.delete(path);
  conflicted.set(theirPath, other);
  trees.add(theirPath, other.result);
  return ourPath;
}
