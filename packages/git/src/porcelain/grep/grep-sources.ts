/**
 * Lists the sources that `git grep` searches: tracked files of the work tree, all files, the index, a tree, or a plain directory.
 */
import { openIgnores } from "../../ignore/ignores.ts";
import { readIndex } from "../../index/read-index.ts";
import { walkTree } from "../../index/read-tree.ts";
import { modeType } from "../../object/file-mode.ts";
import type { Oid } from "../../object/oid.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import { compareText } from "../../text/bytes.ts";

export interface GrepSource {
  /** Relative to the top of the work tree or tree. */
  readonly path: string;
  /** The path for attribute lookups; null: no attributes apply. */
  readonly attributesOf: string | null;
  /** Null: the file does not exist. */
  read(): Promise<Uint8Array | null>;
}

type GrepFilter = (path: string) => boolean;

const REGULAR = 0o100000;
const isRegular = (mode: number) => modeType(mode) === REGULAR;
/** Number of files read with one call. */
const BATCH = 64;

export async function* indexSources(repo: Repository, cached: boolean, wanted: GrepFilter): AsyncGenerator<GrepSource> {
  const { entries } = await readIndex(repo);
  const work: string[] = [];
  let before = "";
  for (const { path, mode, stage, oid, intentToAdd, assumeValid, skipWorktree } of entries) {
    const isSecond = path === before;
    before = path;
    if (!isRegular(mode) || !wanted(path)) continue;
    if (cached || assumeValid) {
      if (stage !== 0 || intentToAdd) continue;
      if (work.length > 0) yield* filesIn(repo, work.splice(0));
      yield { path, attributesOf: path, read: () => readBlob(repo, oid) };
      continue;
    }
    if (isSecond || skipWorktree) continue;
    work.push(path);
    if (work.length >= BATCH) yield* filesIn(repo, work.splice(0));
  }
  yield* filesIn(repo, work);
}

/** Skips symbolic links, as git does. */
async function* filesIn({ fs, workTree }: Repository, paths: readonly string[]): AsyncGenerator<GrepSource> {
  const contents = await fs.readMany(paths.map((path) => `${workTree}/${path}`));
  for (const [at, path] of paths.entries()) {
    const content = contents[at] ?? null;
    if (content !== null) yield { path, attributesOf: path, read: async () => content };
  }
}

/** `isWhole`: the tree of a commit. The location of any other tree is unknown, so attributes do not apply to it. */
export async function* treeSources(
  repo: Repository,
  tree: Oid,
  spec: Pathspec,
  wanted: GrepFilter,
  isWhole: boolean,
): AsyncGenerator<GrepSource> {
  const enter = (path: string) => spec.mayMatchUnder(path);
  for await (const { path, mode, oid } of walkTree(repo.odb, tree, { enter, limits: repo.limits })) {
    if (!isRegular(mode) || !wanted(path)) continue;
    yield { path, attributesOf: isWhole ? path : null, read: () => readBlob(repo, oid) };
  }
}

export async function readBlob({ odb, limits }: Repository, oid: Oid): Promise<Uint8Array | null> {
  const header = await odb.header(oid);
  if (header === null || header.size > limits.wholeObject) return null;
  return (await odb.need(oid, "blob")).body;
}

interface Directory {
  readonly fs: Repository["fs"];
  /** Absolute base of relative paths. */
  readonly top: string;
  readonly enter: GrepFilter;
}

/** Every file below, tracked or not; `rules`: ignore rules. */
export async function* directorySources(
  { fs, top, enter }: Directory,
  wanted: GrepFilter,
  rules: Parameters<typeof openIgnores>[0] | null,
): AsyncGenerator<GrepSource> {
  const ignores = rules === null ? null : await openIgnores(rules);
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await fs.scan(folder === "" ? top : `${top}/${folder}`);
    if (ignores && entries.some(({ name }) => name === ".gitignore"))
      await ignores.load([folder === "" ? "" : `${folder}/`]);
    for (const { name, stat } of entries) {
      if (name === ".git") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (ignores?.verdict(path, stat.type === "dir").ignored) continue;
      if (stat.type === "dir") {
        if (enter(path)) folders.push(path);
      } else if (stat.type === "file" && wanted(path)) found.push(path);
    }
  }
  found.sort(compareText);
  for (let at = 0; at < found.length; at += BATCH) {
    const paths = found.slice(at, at + BATCH);
    const contents = await fs.readMany(paths.map((path) => `${top}/${path}`));
    for (const [i, path] of paths.entries()) yield { path, attributesOf: path, read: async () => contents[i] ?? null };
  }
}
