/** The files of a query in the order of the answer: start by start, directories before what is in them, names in byte order. */
import { compileOverrides, compileTypes, GlobError, type Overrides, type TypeFilter } from "@workspace/glob";
import type { GrepQuery } from "@workspace/protocol";
import { FsError } from "../errors.ts";
import { type Inode, isDirectory, isFile } from "../inode.ts";
import { compareNames, parsePath } from "../path.ts";
import { resolveExisting } from "../resolve.ts";
import type { Volume } from "../volume.ts";
import { walk } from "../walk/walk.ts";
import { Gate } from "./gate.ts";

export interface SearchFile {
  /** As an answer names it: below the start as it was given. */
  readonly path: string;
  readonly inode: Inode;
  /** It was named itself, and is searched whatever rules say. */
  readonly named: boolean;
}

/** What a walk left out, counted as it goes. */
export interface WalkCounts {
  ignored: number;
}

export function* walkFiles(volume: Volume, query: GrepQuery, counts: WalkCounts): Generator<SearchFile> {
  const overrides = query.globs.length === 0 ? null : compileGlobs(query);
  const types = query.types.length === 0 ? null : compileTypeFilter(query);
  for (const given of query.paths) {
    const path = parsePath(given, "grep");
    const start = resolveExisting(volume.cache, path, "grep", "follow");
    const shown = `/${path.parts.join("/")}`;
    if (isFile(start.inode)) yield { path: shown, inode: start.inode, named: true };
    if (!isDirectory(start.inode)) continue;
    const { ignore, hidden } = query;
    const cwd = query.cwd === given ? start.path : query.cwd;
    const gate = new Gate(volume, start.path, { ignore, hidden, overrides, types, cwd });
    const prefix = shown === "/" ? "/" : `${shown}/`;
    const before = counts.ignored;
    let admitted = false;
    const entries = walk(volume, start.inode, {
      maxDepth: query.maxDepth ?? undefined,
      limit: volume.limits.walkEntries,
      enter: (entry) => {
        if (admitted) gate.enter(entry);
        return admitted;
      },
    });
    for (const entry of entries) {
      admitted = gate.admits(entry);
      counts.ignored = before + gate.ignored;
      if (admitted && isFile(entry.inode)) yield { path: prefix + entry.relative, inode: entry.inode, named: false };
    }
  }
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
