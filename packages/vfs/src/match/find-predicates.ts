/** The options of `find`, compiled: predicates on name and type, and predicates on the inode. */
import { compileGlob, type Glob } from "@workspace/glob";
import { FsError } from "../api/errors.ts";
import type { FindOptions } from "../api/file-system.ts";
import { toMicroseconds } from "../node-args/time.ts";
import { type Inode, TYPE_CODES, type TypeCode } from "../tree/inode.ts";

export interface FindPredicates {
  readonly name: Glob | null;
  /** Matches the path relative to the start. */
  readonly path: Glob | null;
  readonly type: TypeCode | null;
  /** Null when names and types decide. */
  readonly inode: ((inode: Inode) => boolean) | null;
}

export function compileFindPredicates(given: string, options: FindOptions): FindPredicates {
  const { name, path, type } = options;
  if (type !== undefined && !Object.hasOwn(TYPE_CODES, type))
    throw new FsError("EINVAL", { syscall: "find", path: given, reason: `unknown type "${String(type)}"` });
  return {
    name: name === undefined ? null : compileGlob(name),
    path: path === undefined ? null : compileGlob(path),
    type: type === undefined ? null : TYPE_CODES[type],
    inode: compileInodeTest(given, options),
  };
}

function compileInodeTest(given: string, { larger, smaller, newer, older }: FindOptions): FindPredicates["inode"] {
  const tests: ((inode: Inode) => boolean)[] = [];
  if (larger !== undefined) tests.push((inode) => inode.size > larger);
  if (smaller !== undefined) tests.push((inode) => inode.size < smaller);
  if (newer !== undefined) {
    const time = toMicroseconds(newer, "find", given);
    tests.push((inode) => inode.mtime > time);
  }
  if (older !== undefined) {
    const time = toMicroseconds(older, "find", given);
    tests.push((inode) => inode.mtime < time);
  }
  return tests.length === 0 ? null : (inode) => tests.every((test) => test(inode));
}
