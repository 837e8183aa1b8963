/**
 * Reads `.git/index`, versions 2, 3 and 4. Extensions that only serve git's speed (EOIE, IEOT) are dropped and regenerated,
 * those that a change would invalidate (UNTR, FSMN) are dropped with the first change, and one that changes the meaning of
 * entries (`link`, `sdir`) is refused, as git refuses unknown ones.
 */
import { GitError } from "../errors.ts";
import { MODE_GITLINK } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";
import { cachedRoot, parseCacheTree } from "./cached-tree.ts";
import { isRacy } from "./compare-stat.ts";
import type { IndexStat } from "./index-entry.ts";
import type { CacheTree, IndexFile } from "./index-file.ts";
import { checkOrder, entryAt, type IndexTable, parseIndexTable } from "./index-table.ts";

type IndexSource = Pick<Repository, "fs" | "indexPath" | "limits"> &
  Partial<Pick<Repository, "host" | "gitDir" | "displayGitDir" | "env">>;

/** The index in columns, for callers that scan all of it and change little. */
export interface ColumnarIndex {
  readonly table: IndexTable;
  readonly tree: CacheTree | null;
  /** The root record of `tree`, known before the rest is parsed. */
  readonly root?: { readonly oid: Oid; readonly entries: number } | null;
  readonly extensions: IndexFile["extensions"];
  readonly mtimeSeconds: number;
  readonly mtimeNanos: number;
  readonly fileVersion: string | null;
}

/** A repository without the file has an empty index. */
export async function readIndex(repo: IndexSource): Promise<IndexFile> {
  return indexFromColumns(await readColumnarIndex(repo));
}

export function indexFromColumns({ table, root: _, ...rest }: ColumnarIndex): IndexFile {
  const entries = Array.from({ length: table.count }, (_, i) => entryAt(table, i));
  asRead.add(entries);
  const racy = new Set<IndexStat>();
  for (const { stat, mode } of entries) {
    if (isRacy(stat.mtimeSeconds, rest.mtimeSeconds) && mode !== MODE_GITLINK) racy.add(stat);
  }
  return { version: table.version, entries, ...rest, racy };
}

/** Shared by all readers while the file is unchanged. */
export async function readColumnarIndex(repo: IndexSource): Promise<ColumnarIndex> {
  const { fs, indexPath, host } = repo;
  const [mark = null] = (await fs.fingerprints?.([indexPath])) ?? [];
  const known = mark === null ? null : (host?.cache?.index.get(indexPath, mark) ?? null);
  if (known !== null) return known;
  const file = await readFile(repo);
  if (file === null) return emptyColumns();
  const columns = parseColumns(repo, file);
  // If the file changed after the fingerprint, the content is newer than that: the next lookup sees another fingerprint and
  // reads again.
  if (mark !== null) host?.cache?.index.set(indexPath, mark, columns, file.content.length);
  return columns;
}

function parseColumns(repo: IndexSource, file: NonNullable<Awaited<ReturnType<typeof readFile>>>): ColumnarIndex {
  const table = parseIndexTable(file.content, displayPath(repo));
  const { treeBody, extensions } = parseExtensions(file.content, table.end);
  checkOrder(table);
  const seconds = Math.floor(file.mtimeMs / 1000);
  const { limits } = repo;
  let tree: CacheTree | null | undefined;
  return {
    table,
    // In a large repository it is half of the parsing, and a clean `status` needs only its first record.
    get tree() {
      if (tree === undefined) tree = treeBody === null ? null : parseCacheTree(treeBody, limits);
      return tree;
    },
    root: treeBody === null ? null : cachedRoot(treeBody),
    extensions,
    mtimeSeconds: seconds,
    mtimeNanos: Math.round((file.mtimeMs - seconds * 1000) * 1e6),
    fileVersion: file.version,
  };
}

/** The file's name in messages: below the git directory as it was found, or as the variable names it. */
function displayPath({ indexPath, gitDir, displayGitDir, env }: IndexSource): string {
  if (env?.GIT_INDEX_FILE) return env.GIT_INDEX_FILE;
  return displayGitDir !== undefined && indexPath === `${gitDir}/index` ? `${displayGitDir}/index` : indexPath;
}

/** Entry lists that match the disk: data by position is still valid. */
const asRead = new WeakSet<object>();

export function isAsRead(index: Pick<IndexFile, "entries">): boolean {
  return asRead.has(index.entries);
}

/** Extensions about entries by position, or about their directories. */
export function dependsOnEntries(signature: string): boolean {
  return signature === "UNTR" || signature === "FSMN";
}

async function readFile({ fs, indexPath }: IndexSource) {
  try {
    const { content, version, stat } = await fs.read(indexPath);
    return { content, version, mtimeMs: stat.mtimeMs };
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

function emptyColumns(): ColumnarIndex {
  const none = new Uint32Array(0);
  const table: IndexTable = { version: 0, count: 0, paths: [], fields: none, flags: none, oids: "", end: 0 };
  return { table, tree: null, extensions: [], mtimeSeconds: 0, mtimeNanos: 0, fileVersion: null };
}

/** Returns an empty index, for callers that replace the whole index and need not validate the file. */
export function emptyIndex(): IndexFile {
  return indexFromColumns(emptyColumns());
}

function parseExtensions(bytes: Uint8Array, start: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const extensions: { signature: string; body: Uint8Array }[] = [];
  let treeBody: Uint8Array | null = null;
  let at = start;
  while (at + 8 <= bytes.length - 20) {
    const signature = decode(bytes.subarray(at, at + 4));
    const end = at + 8 + view.getUint32(at + 4);
    if (end > bytes.length - 20) throw new GitError("ECORRUPT", "index file corrupt");
    const body = bytes.subarray(at + 8, end);
    if (signature === "TREE") treeBody = body;
    else if (signature === "REUC" || dependsOnEntries(signature)) extensions.push({ signature, body });
    else if (!/^[A-Z]/.test(signature)) {
      const reason = `index uses ${signature} extension, which we do not understand`;
      throw new GitError("ECORRUPT", `${reason}\nfatal: index file corrupt`, { prefix: "error" });
    }
    at = end;
  }
  return { treeBody, extensions };
}
