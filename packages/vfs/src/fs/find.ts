/** `find`: what under a path has a name, type, size or time. Results are sorted as the walk goes; too many are an error, not a cut. */
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { EntryType, FindOptions, Found } from "../filesystem.ts";
import { type Inode, isDirectory, typeCode, typeName } from "../inode.ts";
import { optionsOf } from "../options.ts";
import { parsePath } from "../path.ts";
import { type Resolved, resolveExisting } from "../resolve.ts";
import { ignoreGate } from "../search/walk-gate.ts";
import type { Volume } from "../volume.ts";
import { giveWay } from "../walk/give-way.ts";
import { InodeBatch } from "../walk/inode-batch.ts";
import type { Level } from "../walk/level.ts";
import { Walker } from "../walk/walker.ts";
import { FindDirectory } from "./find-directory.ts";
import { compileFindTests, type FindTests } from "./find-tests.ts";
import { keepWalkCode } from "./keep-walk-code.ts";

export async function find({ volume }: FsContext, given: string, options: FindOptions = {}): Promise<Found[]> {
  return findAs(volume, given, optionsOf<FindOptions>("find", options, given), (path, inode) =>
    foundAt(volume, path, inode),
  );
}

/** What `make` makes of each hit: for whoever shows it in another form, and asks for no version. */
export type MakeHit<T> = (path: string, type: EntryType, size: number, mtimeMs: number) => T;

export function findHits<T>(volume: Volume, given: string, options: FindOptions, make: MakeHit<T>): Promise<T[]> {
  return findAs(volume, given, options, (path, inode) =>
    make(path, typeName(typeCode(inode)), inode.size, inode.mtime / 1000),
  );
}

async function findAs<T>(
  volume: Volume,
  given: string,
  options: FindOptions,
  make: (path: string, inode: Inode) => T,
): Promise<T[]> {
  keepWalkCode();
  const start = resolveExisting(volume.open().cache, parsePath(given, "find"), "find", "follow");
  const tests = compileFindTests(given, options);
  const hits = new Hits(given, options.limit ?? volume.limits.globResults);
  const { inode, name } = start;
  if ((options.minDepth ?? 0) <= 0 && matchesStart(tests, name, inode)) hits.add(start.path, inode);
  if (isDirectory(inode)) await findBelow(volume, start, tests, options, hits);
  return hits.map(volume.open().cache, make);
}

async function findBelow(
  volume: Volume,
  start: Resolved & { readonly inode: Inode },
  tests: FindTests,
  { maxDepth, minDepth = 0, ignore }: FindOptions,
  hits: Hits,
): Promise<void> {
  const gate = ignore ? ignoreGate(volume, start.path) : null;
  const first = FindDirectory.first(tests, start.path === "/" ? "/" : `${start.path}/`);
  const hereOf = (level: Level<FindDirectory>) => (level.state ??= level.above?.state?.enter(level.name) ?? first);
  // Inodes are looked up for the hits alone, unless they decide, or most entries will be hits.
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
      await giveWay();
      continue;
    }
    if (gate !== null && !gate.admits(walker)) continue;
    const { name, ino, isDirectory, level } = walker;
    const here = hereOf(level);
    // A file that was picked has passed by its name and type.
    if (walker.depth >= minDepth && (!isDirectory || here.takesDirectory(name))) {
      const inode = what === "names" ? volume.cache.known(ino) : walker.inode;
      if (tests.inode === null || tests.inode(walker.inode)) hits.add(here.prefix + name, inode ?? ino);
    }
    if (isDirectory && here.opens(name) && walker.enter()) gate?.enter(walker);
  }
}

function matchesStart(tests: FindTests, name: string, inode: Inode): boolean {
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

function foundAt(volume: Volume, path: string, inode: Inode): Found {
  return {
    path,
    type: typeName(typeCode(inode)),
    size: inode.size,
    mtimeMs: inode.mtime / 1000,
    version: volume.versionOf(inode.rev),
  };
}
