/**
 * The roots of reachability for garbage collection: refs, HEAD, reflogs, staged objects and the state of unfinished operations, of
 * every work tree. Anything unreadable stops the command: objects that it may name must not be dropped.
 */
import { GitError } from "../../errors.ts";
import type { CacheTree } from "../../index/index-file.ts";
import { readIndex } from "../../index/read-index.ts";
import { undoObjects } from "../../index/resolve-undo.ts";
import { MODE_GITLINK } from "../../object/file-mode.ts";
import { type Oid, parseOid, ZERO_OID } from "../../object/oid.ts";
import { isPerWorktree, parseLooseRef } from "../../refs/ref-files.ts";
import { listWorkTrees, refsOf, type WorkTree } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import { decode } from "../../text/bytes.ts";

export interface RootsOptions {
  /** Default true. */
  readonly reflogs?: boolean;
  readonly staged?: boolean;
  /** Prefix of the error about a ref without an object, before the ref's name; default "bad object". */
  readonly complaint?: string;
}

/** Each existing object once; a reflog may name commits that are gone. */
export async function reachableRoots(
  repo: Repository,
  { reflogs = true, staged = true, complaint = "bad object" }: RootsOptions = {},
): Promise<Set<Oid>> {
  const roots = new Set<Oid>();
  const bad = (name: string) => new GitError("ECORRUPT", `${complaint} ${name}`);
  const named = new Map<Oid, string>();
  /** May be missing. */
  const mentioned = new Set<Oid>();
  for (const tree of await listWorkTrees(repo)) {
    const refs = refsOf(repo, tree);
    const listed = await refs.list("refs/", {
      broken(name) {
        throw bad(name);
      },
    });
    for (const { name, oid } of listed) named.set(oid, name);
    const head = await workTreeHead(repo, tree);
    if (head === "broken") throw bad(tree.isCurrent ? "HEAD" : `${tree.gitDir}/HEAD`);
    if (head !== null) named.set(head, "HEAD");
    if (reflogs)
      for (const name of await refs.reflogNames())
        if (tree.isCurrent || isPerWorktree(name))
          for (const oid of await idsInLog(repo, tree, name)) mentioned.add(oid);
    if (!staged) continue;
    for (const oid of await stagedObjects(repo, tree)) mentioned.add(oid);
    for (const oid of await idsInOperations(repo, tree)) mentioned.add(oid);
  }
  const missing = await repo.odb.missing([...named.keys()]);
  if (missing[0] !== undefined) throw bad(named.get(missing[0]) as string);
  for (const oid of named.keys()) roots.add(oid);
  for (const oid of mentioned) if (!roots.has(oid) && (await repo.odb.has(oid))) roots.add(oid);
  return roots;
}

/** Null: there is no HEAD, or its branch is unborn. */
async function workTreeHead(repo: Repository, tree: WorkTree): Promise<Oid | "broken" | null> {
  const [bytes] = await repo.fs.readMany([`${tree.gitDir}/HEAD`]);
  if (!bytes) return null;
  if (parseLooseRef(decode(bytes)) === "broken") return "broken";
  return (await refsOf(repo, tree).resolve("HEAD"))?.oid ?? null;
}

/** Ids in every line, even a damaged or incomplete one. */
async function idsInLog(repo: Repository, { gitDir }: WorkTree, name: string): Promise<Oid[]> {
  const base = isPerWorktree(name) ? gitDir : (repo.commonDir ?? repo.gitDir);
  const [bytes] = await repo.fs.readMany([`${base}/logs/${name}`]);
  return bytes ? idsIn(decode(bytes)) : [];
}

async function stagedObjects(repo: Repository, { gitDir, isCurrent }: WorkTree): Promise<Set<Oid>> {
  const oids = new Set<Oid>();
  const paths = isCurrent ? [repo.indexPath, `${gitDir}/index`] : [`${gitDir}/index`];
  for (const indexPath of new Set(paths)) {
    const index = await readIndex({ ...repo, indexPath });
    for (const { mode, oid } of index.entries) if (mode !== MODE_GITLINK) oids.add(oid);
    for (const oid of undoObjects(index)) oids.add(oid);
    if (index.tree !== null) for (const oid of cachedTrees(index.tree)) oids.add(oid);
  }
  return oids;
}

/** The index records these trees as stored. */
function* cachedTrees(tree: CacheTree): Generator<Oid> {
  if (tree.oid !== null) yield tree.oid;
  for (const child of tree.children.values()) yield* cachedTrees(child);
}

/** State that `--continue` and `--abort` read; git before 2.44 keeps none of it. */
const OPERATIONS = [
  "MERGE_HEAD",
  "MERGE_AUTOSTASH",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "REBASE_HEAD",
  "BISECT_HEAD",
  ...["rebase-merge", "rebase-apply"].flatMap((folder) =>
    ["orig-head", "onto", "autostash", "amend", "stopped-sha", "squash-onto", "git-rebase-todo"].map(
      (name) => `${folder}/${name}`,
    ),
  ),
  "rebase-merge/update-refs",
  "sequencer/head",
  "sequencer/todo",
  "sequencer/abort-safety",
];

async function idsInOperations({ fs }: Repository, { gitDir }: WorkTree): Promise<Oid[]> {
  const contents = await fs.readMany(OPERATIONS.map((name) => `${gitDir}/${name}`));
  return contents.flatMap((bytes) => (bytes ? idsIn(decode(bytes)) : []));
}

function idsIn(text: string): Oid[] {
  const found = new Set<Oid>();
  for (const [word] of text.matchAll(/\b[0-9a-f]{40}\b/g)) {
    const oid = parseOid(word);
    if (oid !== null && oid !== ZERO_OID) found.add(oid);
  }
  return [...found];
}
