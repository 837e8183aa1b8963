/** `find`: what under a path has a name, type, size or time. Results are sorted as the walk goes; too many are an error, not a cut. */
import { compileGlob } from "@workspace/glob";
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { EntryType, FindOptions, Found } from "../filesystem.ts";
import { type Inode, isDirectory, typeCode, typeName } from "../inode.ts";
import { parsePath } from "../path.ts";
import { resolveExisting } from "../resolve.ts";
import { walkUnignored } from "../search/walk-unignored.ts";
import { toMicroseconds } from "../time.ts";
import { type Walked, walk } from "../walk/walk.ts";

export async function find(ctx: FsContext, given: string, options: FindOptions = {}): Promise<Found[]> {
  const { volume } = ctx;
  const start = resolveExisting(volume.open().cache, parsePath(given, "find"), "find", "follow");
  const matches = predicate(given, options);
  const { maxDepth, minDepth = 0, limit = volume.limits.globResults } = options;
  const base = start.path === "/" ? "" : start.path;
  const found: Found[] = [];
  const take = (path: string, { inode }: { inode: Inode }) => {
    if (found.length >= limit)
      throw new FsError("EFBIG", {
        syscall: "find",
        path: given,
        reason: `more than ${limit} results; narrow the search`,
      });
    found.push({
      path,
      type: typeName(typeCode(inode)),
      size: inode.size,
      mtimeMs: inode.mtime / 1000,
      version: volume.versionOf(inode.rev),
    });
  };
  const self: Walked = { name: start.name, relative: "", inode: start.inode, depth: 0 };
  if (minDepth <= 0 && matches(self)) take(start.path, self);
  if (!isDirectory(start.inode)) return found;
  const asked = { maxDepth, limit: volume.limits.walkEntries };
  const entries = options.ignore
    ? walkUnignored(volume, start.inode, start.path, asked)
    : walk(volume, start.inode, asked);
  for (const entry of entries) {
    if (entry.depth >= minDepth && matches(entry)) take(`${base}/${entry.relative}`, entry);
  }
  return found;
}

function predicate(given: string, options: FindOptions): (entry: Walked) => boolean {
  const tests: ((entry: Walked) => boolean)[] = [];
  const { name, path, type, larger, smaller, newer, older } = options;
  if (name !== undefined) {
    const glob = compileGlob(name);
    tests.push((entry) => glob.match(entry.name, isDirectory(entry.inode)));
  }
  if (path !== undefined) {
    const glob = compileGlob(path);
    tests.push((entry) => glob.match(entry.relative, isDirectory(entry.inode)));
  }
  if (type !== undefined) {
    if (!(["file", "dir", "symlink"] as EntryType[]).includes(type))
      throw new FsError("EINVAL", { syscall: "find", path: given, reason: `unknown type "${String(type)}"` });
    tests.push((entry) => typeName(typeCode(entry.inode)) === type);
  }
  if (larger !== undefined) tests.push((entry) => entry.inode.size > larger);
  if (smaller !== undefined) tests.push((entry) => entry.inode.size < smaller);
  if (newer !== undefined) {
    const time = toMicroseconds(newer, "find", given);
    tests.push((entry) => entry.inode.mtime > time);
  }
  if (older !== undefined) {
    const time = toMicroseconds(older, "find", given);
    tests.push((entry) => entry.inode.mtime < time);
  }
  return (entry) => tests.every((test) => test(entry));
}
