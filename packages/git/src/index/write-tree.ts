/**
 * Writes trees from the index. Directories with a valid cached tree are neither built nor hashed, so a commit of one file
 * writes only the trees above it. One pass over the sorted entries with a stack of open directories.
 */
import { GitError } from "../errors.ts";
import { hashObject } from "../hash/hash-object.ts";
import { MODE_GITLINK, MODE_TREE } from "../object/file-mode.ts";
import { EMPTY_TREE, type Oid } from "../object/oid.ts";
import { serializeTree, type TreeEntry } from "../object/tree.ts";
import type { GitObject, ObjectDatabase } from "../odb/object-database.ts";
import type { IndexEntry } from "./index-entry.ts";
import type { CacheTree, IndexFile } from "./index-file.ts";

interface WrittenTree {
  readonly oid: Oid;
  /** For the index: `{ ...index, tree }`. */
  readonly tree: CacheTree;
}

interface WriteTreeOptions {
  /** Skip the check that the blobs exist. */
  missingOk?: boolean;
  /** Hash only. */
  dryRun?: boolean;
  /** Stored trees of directories ("" or "dir/"): these are neither built nor hashed again. */
  known?: ReadonlyMap<string, Oid>;
}

type Staged = Pick<IndexFile, "entries" | "tree">;

/** Throws ESTATE with git's lines if something is unmerged, ECORRUPT if an object is missing. */
export async function writeTree(
  odb: ObjectDatabase,
  index: Staged,
  options: WriteTreeOptions = {},
): Promise<WrittenTree> {
  checkMerged(index.entries);
  let built = build(index, options.known);
  if (!options.dryRun && built.reused.length > 0 && (await odb.missing(built.reused)).length > 0) {
    built = build({ ...index, tree: null });
  }
  if (!options.missingOk) await checkBlobs(odb, built.files);
  if (!options.dryRun && built.objects.length > 0) await odb.writeMany(built.objects);
  return { oid: built.tree.oid ?? built.root, tree: built.tree };
}

interface Built {
  readonly root: Oid;
  readonly tree: CacheTree;
  /** New trees, children first. */
  readonly objects: GitObject[];
  /** Reused from the cache. */
  readonly reused: Oid[];
  /** Files of rebuilt directories. */
  readonly files: IndexEntry[];
}

interface TreeLevel {
  readonly prefix: string;
  readonly name: string;
  readonly cached: CacheTree | undefined;
  readonly entries: TreeEntry[];
  readonly children: Map<string, CacheTree>;
  readonly start: number;
  /** Contains an intent-to-add file: the tree differs from the index. */
  partial: boolean;
}

function build({ entries, tree }: Staged, known?: ReadonlyMap<string, Oid>): Built {
  const built = { objects: [] as GitObject[], reused: [] as Oid[], files: [] as IndexEntry[] };
  // The empty tree is always known but may not be stored: it is built, and so written.
  if (tree !== null && tree.entries === entries.length && tree.oid !== null && tree.oid !== EMPTY_TREE) {
    return { ...built, root: tree.oid, tree, reused: [tree.oid] };
  }
  const levels: TreeLevel[] = [openLevel("", "", tree ?? undefined, 0)];
  for (let i = 0; ; ) {
    const entry = entries[i];
    const level = levels.at(-1) as TreeLevel;
    if (entry === undefined || !entry.path.startsWith(level.prefix)) {
      levels.pop();
      const parent = levels.at(-1);
      const closed = closeLevel(level, i, built.objects, known?.get(level.prefix));
      if (parent === undefined) return { ...built, root: closed.oid, tree: closed.cached };
      if (level.partial) parent.partial = true;
      // A directory of only intent-to-add files is omitted.
      if (level.entries.length === 0) continue;
      parent.children.set(level.name, closed.cached);
      parent.entries.push({ mode: MODE_TREE, name: level.name, oid: closed.oid });
      continue;
    }
    const slash = entry.path.indexOf("/", level.prefix.length);
    if (slash < 0) {
      if (entry.intentToAdd) level.partial = true;
      else {
        built.files.push(entry);
        level.entries.push({ mode: entry.mode, name: entry.path.slice(level.prefix.length), oid: entry.oid });
      }
      i++;
      continue;
    }
    const name = entry.path.slice(level.prefix.length, slash);
    const cached = level.cached?.children.get(name);
    const prefix = entry.path.slice(0, slash + 1);
    if (cached?.oid && covers(entries, i, cached.entries, prefix)) {
      built.reused.push(cached.oid);
      level.children.set(name, cached);
      level.entries.push({ mode: MODE_TREE, name, oid: cached.oid });
      i += cached.entries;
      continue;
    }
    levels.push(openLevel(prefix, name, cached, i));
  }
}

function openLevel(prefix: string, name: string, cached: CacheTree | undefined, start: number): TreeLevel {
  return { prefix, name, cached, entries: [], children: new Map(), start, partial: false };
}

function closeLevel(
  level: TreeLevel,
  end: number,
  objects: GitObject[],
  known: Oid | undefined,
): { oid: Oid; cached: CacheTree } {
  const { children, partial, start } = level;
  if (known !== undefined) return { oid: known, cached: { entries: end - start, oid: known, children } };
  const body = serializeTree(level.entries);
  const oid = body.length === 0 ? EMPTY_TREE : hashObject("tree", body);
  // An empty root is stored too; an empty directory is never added to its parent.
  if (body.length > 0 || level.name === "") objects.push({ type: "tree", body });
  return { oid, cached: partial ? { entries: -1, oid: null, children } : { entries: end - start, oid, children } };
}

/** Another program may have written the cached tree: its count must match the entries. */
function covers(entries: readonly IndexEntry[], start: number, count: number, prefix: string): boolean {
  if (count <= 0 || !entries[start + count - 1]?.path.startsWith(prefix)) return false;
  return entries[start + count]?.path.startsWith(prefix) !== true;
}

/** git's maximum number of names before it stops. */
const NAMED = 10;

function checkMerged(entries: readonly IndexEntry[]): void {
  const unmerged = entries.filter(({ stage }) => stage !== 0);
  const lines = unmerged.slice(0, NAMED).map(({ path, oid }) => `${path}: unmerged (${oid})`);
  if (unmerged.length > NAMED) lines.push("...");
  for (let i = 1; i < entries.length && lines.length === 0; i++) {
    const [a, b] = [entries[i - 1] as IndexEntry, entries[i] as IndexEntry];
    if (b.path.startsWith(`${a.path}/`)) lines.push(`You have both ${a.path} and ${b.path}`);
  }
  if (lines.length > 0) {
    throw new GitError(
      "ESTATE",
      `${lines.map((line) => line).join("\n")}\nfatal: git-write-tree: error building trees`,
      { prefix: "" },
    );
  }
}

async function checkBlobs(odb: ObjectDatabase, files: readonly IndexEntry[]): Promise<void> {
  const blobs = files.filter(({ mode }) => mode !== MODE_GITLINK);
  if (blobs.length === 0) return;
  const missing = new Set(await odb.missing(blobs.map(({ oid }) => oid)));
  if (missing.size === 0) return;
  const { mode, oid, path } = blobs.find((entry) => missing.has(entry.oid)) as IndexEntry;
  const reason = `invalid object ${mode.toString(8).padStart(6, "0")} ${oid} for '${path}'`;
  throw new GitError("ECORRUPT", `${reason}\nfatal: git-write-tree: error building trees`, { prefix: "error" });
}
