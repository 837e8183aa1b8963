/** The files of a query in the order of the answer: start by start, directories before their entries, names in byte order. */
import { compileOverrides, compileTypes, GlobError, type Overrides, type TypeFilter } from "@workspace/glob";
import type { GrepQuery } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import { WalkFilter } from "../match/walk-filter.ts";
import { type Inode, isDirectory, isFile, TYPE_CODES } from "../tree/inode.ts";
import { compareNames, parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import type { ReadView } from "../volume/views.ts";
import { InodeBatch } from "../walk/inode-batch.ts";
import { Walker } from "../walk/walker.ts";

export interface SearchFile {
  /** The path in the answer: below the start as it was given. */
  readonly path: string;
  readonly inode: Inode;
  /** It was named explicitly, and is searched whatever the rules exclude. */
  readonly isExplicit: boolean;
}

/** Inodes not in memory, per statement. */
const FETCHED_TOGETHER = 200;

/** What a walk left out, counted along the way. */
export interface WalkCounts {
  ignored: number;
}

export function* walkFiles(volume: ReadView, query: GrepQuery, counts: WalkCounts): Generator<SearchFile> {
  for (const block of walkFileBlocks(volume, query, counts)) yield* block;
}

/** Like the walk above, but yields blocks of files. */
export function* walkFileBlocks(
  volume: ReadView,
  query: GrepQuery,
  counts: WalkCounts,
): Generator<readonly SearchFile[]> {
  const overrides = query.globs.length === 0 ? null : compileGlobs(query);
  const types = query.types.length === 0 ? null : compileTypeFilter(query);
  for (const given of query.paths) {
    const path = parsePath(given, "grep");
    const start = resolveExisting(volume.cache, path, "grep", "follow");
    const shown = `/${path.parts.join("/")}`;
    if (isFile(start.inode)) yield [{ path: shown, inode: start.inode, isExplicit: true }];
    if (!isDirectory(start.inode)) continue;
    const { ignore, hidden } = query;
    const cwd = query.cwd === given ? start.path : query.cwd;
    const gate = new WalkFilter(volume, start.path, { ignore, hidden, overrides, types, cwd });
    yield* walkBelow(volume, start.inode, shown === "/" ? "/" : `${shown}/`, query, gate, counts);
  }
}

function* walkBelow(
  volume: ReadView,
  start: Inode,
  base: string,
  query: GrepQuery,
  gate: WalkFilter,
  counts: WalkCounts,
): Generator<readonly SearchFile[]> {
  const walker = new Walker<string>(volume, start, {
    // If names decide first, few of the inodes are needed.
    what: query.globs.length + query.types.length > 0 ? "names" : "inodes",
    maxDepth: query.maxDepth ?? undefined,
    limit: volume.limits.walkEntries,
    mayEnter: gate.mayEnter,
  });
  const before = counts.ignored;
  let block = new InodeBatch();
  while (walker.next()) {
    const { level, isDirectory } = walker;
    if (isDirectory && isReady(block)) {
      yield filesIn(volume, block);
      block = new InodeBatch();
    }
    const admitted = gate.accepts(walker);
    counts.ignored = before + gate.ignored;
    if (!admitted) continue;
    if (isDirectory) {
      if (walker.enter()) gate.enter(walker);
    } else if (walker.type === TYPE_CODES.file) {
      const prefix = (level.state ??= base + level.prefix);
      const inode = level.inodes === null ? volume.cache.known(walker.ino) : walker.inode;
      block.add(prefix + walker.name, inode ?? walker.ino);
    }
  }
  if (block.length > 0) yield filesIn(volume, block);
}

/** A search can continue with the inodes in memory; fetching more is worth a statement only when there are many. */
function isReady({ length, missing }: InodeBatch): boolean {
  return missing === 0 ? length > 0 : missing >= FETCHED_TOGETHER;
}

function filesIn({ cache }: ReadView, block: InodeBatch): SearchFile[] {
  return block.map(cache, (path, inode) => ({ path, inode, isExplicit: false }));
}

/** The order of a walk: a directory's files come where its name is. */
export function comparePaths(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareNames(left[i] as string, right[i] as string);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compileGlobs({ globs }: GrepQuery): Overrides {
  try {
    return compileOverrides(globs);
  } catch (error) {
    if (error instanceof GlobError) throw refused(error);
    throw error;
  }
}

function compileTypeFilter({ types }: GrepQuery): TypeFilter {
  const filter = compileTypes(types);
  if (filter instanceof GlobError) throw refused(filter);
  return filter;
}

function refused(error: GlobError): FsError {
  return new FsError("EINVAL", { syscall: "grep", reason: error.message.replace(/^EINVAL: /, () => ""), cause: error });
}
