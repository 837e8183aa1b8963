/**
 * `find`: entries under a path by name, type, size or time. Results come sorted from the walk; too many are an error, not a cut.
 */

import { compileGlob } from "@workspace/glob";
import { FsError } from "../api/errors.ts";
import type { EntryType, FindOptions, FindResult } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { FindDirectory } from "../match/find-directory.ts";
import { compileFindPredicates, type FindPredicates } from "../match/find-predicates.ts";
import { createIgnoreFilter } from "../match/walk-filter.ts";
import { type Inode, isDirectory, typeCode, typeName } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { type Resolved, resolveExisting } from "../tree/resolve.ts";
import type { ReadContext } from "../volume/context.ts";
import type { ReadView } from "../volume/views.ts";
import type { DirectoryFrame } from "../walk/directory-frame.ts";
import { InodeBatch } from "../walk/inode-batch.ts";
import { keepCode, keepWalkCode } from "../walk/keep-code.ts";
import { Walker } from "../walk/walker.ts";
import { yieldToRequests } from "../walk/yield-to-requests.ts";

export async function find({ volume }: ReadContext, given: string, options: FindOptions = {}): Promise<FindResult[]> {
  return findAs(volume, given, optionsOf<FindOptions>("find", options, given), (path, inode) =>
    foundAt(volume, path, inode),
  );
}

/** Maps each hit to a result, for callers that need another form and no version. */
export type FindMapper<T> = (path: string, type: EntryType, size: number, mtimeMs: number) => T;

export function findMapped<T>(
  volume: ReadView,
  given: string,
  options: FindOptions,
  make: FindMapper<T>,
): Promise<T[]> {
  return findAs(volume, given, options, (path, inode) =>
    make(path, typeName(typeCode(inode)), inode.size, inode.mtime / 1000),
  );
}

async function findAs<T>(
  volume: ReadView,
  given: string,
  options: FindOptions,
  make: (path: string, inode: Inode) => T,
): Promise<T[]> {
  keepWalkCode();
  keepCode("find", () => {
    const path = compileGlob("**/*.a");
    return FindDirectory.first({ name: null, path, type: null, inode: null }, "/").enter("a");
  });
  const start = resolveExisting(volume.ensureOpen().cache, parsePath(given, "find"), "find", "follow");
  const tests = compileFindPredicates(given, options);
  const hits = new Hits(given, options.limit ?? volume.limits.globResults);
  const { inode, name } = start;
  if ((options.minDepth ?? 0) <= 0 && matchesStart(tests, name, inode)) hits.add(start.path, inode);
  if (isDirectory(inode)) await findBelow(volume, start, tests, options, hits);
  return hits.map(volume.ensureOpen().cache, make);
}

async function findBelow(
  volume: ReadView,
  start: Resolved & { readonly inode: Inode },
  tests: FindPredicates,
  { maxDepth, minDepth = 0, ignore }: FindOptions,
  hits: Hits,
): Promise<void> {
  const gate = ignore ? createIgnoreFilter(volume, start.path) : null;
  const first = FindDirectory.first(tests, start.path === "/" ? "/" : `${start.path}/`);
  const hereOf = (level: DirectoryFrame<FindDirectory>) =>
    (level.state ??= level.above?.state?.enter(level.name) ?? first);
  // Inodes are read only for the hits, unless inodes decide or most entries will be hits.
  const what = tests.inode === null && (tests.name ?? tests.path) !== null ? "names" : "inodes";
  const walker = new Walker<FindDirectory>(volume, start.inode, {
    what,
    maxDepth,
    limit: volume.limits.walkEntries,
    pick: (level) => hereOf(level).pick(level.listing),
    mayEnter: (below, depth) => tests.path?.mayContain(below) !== false && gate?.mayEnter(below, depth) !== false,
  });
  for (let step = walker.step(); step !== "end"; step = walker.step()) {
    if (step === "pause") {
      await yieldToRequests();
      continue;
    }
    if (gate !== null && !gate.accepts(walker)) continue;
    const { name, ino, isDirectory, level } = walker;
    const here = hereOf(level);
    // A picked file has already matched by name and type.
    if (walker.depth >= minDepth && (!isDirectory || here.takesDirectory(name))) {
      const inode = what === "names" ? volume.cache.known(ino) : walker.inode;
      if (tests.inode === null || tests.inode(walker.inode)) hits.add(here.prefix + name, inode ?? ino);
    }
    if (isDirectory && here.opens(name) && walker.enter()) gate?.enter(walker);
  }
}

function matchesStart(tests: FindPredicates, name: string, inode: Inode): boolean {
  const directory = isDirectory(inode);
  if (tests.type !== null && tests.type !== typeCode(inode)) return false;
  if (tests.name !== null && !tests.name.match(name, directory)) return false;
  if (tests.path !== null && !tests.path.match("", directory)) return false;
  return tests.inode === null || tests.inode(inode);
}

class Hits extends InodeBatch {
  readonly #given: string;
  readonly #limit: number;

  constructor(given: string, limit: number) {
    super();
    this.#given = given;
    this.#limit = limit;
  }

  override add(path: string, inode: Inode | number): void {
    if (this.length >= this.#limit) {
      const reason = `more than ${this.#limit} results; narrow the search`;
      throw new FsError("EFBIG", { syscall: "find", path: this.#given, reason });
    }
    super.add(path, inode);
  }
}

function foundAt(volume: ReadView, path: string, inode: Inode): FindResult {
  return {
    path,
    type: typeName(typeCode(inode)),
    size: inode.size,
    mtimeMs: inode.mtime / 1000,
    version: volume.revisions.format(inode.rev),
  };
}
