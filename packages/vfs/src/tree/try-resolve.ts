/**
 * Resolves a path where nothing need be: null when a parent or the entry itself is missing, is no directory or too long a name, or
 * symlinks form a loop. For reads that treat a missing file as an answer.
 */
import { FsError } from "../api/errors.ts";
import type { Inode } from "./inode.ts";
import { parsePath } from "./path.ts";
import { type FinalSymlink, type NameLookup, type Resolved, resolveUnlessMissing } from "./resolve.ts";

const ABSENT: readonly string[] = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];

export function tryResolve(view: NameLookup, given: string, syscall: string, lastLink: FinalSymlink): Resolved | null {
  try {
    return resolveUnlessMissing(view, parsePath(given, syscall), syscall, lastLink);
  } catch (error) {
    if (error instanceof FsError && ABSENT.includes(error.code)) return null;
    throw error;
  }
}

/** The inode at a path, without following a symlink there. */
export function tryLstat(view: NameLookup, path: string): Inode | null {
  return tryResolve(view, path, "lstat", "itself")?.inode ?? null;
}
