/**
 * Resolves a path to an inode as a kernel does: symlinks in every component, `..` after the symlinks before it and stopping at `/`.
 * Works on a `NameLookup`, so that a mutation in progress sees its own changes.
 */

import { FsError } from "../api/errors.ts";
import { type Inode, isDirectory, isSymlink, ROOT_INO } from "./inode.ts";
import { joinPath, MAX_NAME_BYTES, parseTarget, utf8Length, type WorkspacePath } from "./path.ts";

export interface NameLookup {
  inode(ino: number): Inode | null;
  /** An entry of a directory; the names in `ahead`, from `at` on, will be needed next. */
  lookup(directory: number, name: string, ahead?: readonly string[], at?: number): Inode | null;
  /** The directory that a path resolved to before, while no directory or symlink has moved since. */
  cachedDirectory(text: string): KnownDirectory | undefined;
  rememberDirectory(text: string, directory: KnownDirectory): void;
}

export interface KnownDirectory {
  readonly ino: number;
  /** Without symlinks. */
  readonly path: string;
}

export interface Resolved {
  /** The directory that contains the name; the root is its own. */
  readonly parent: Inode;
  /** Empty for the root. */
  readonly name: string;
  readonly inode: Inode | null;
  /** Without symlinks; for a missing file, where it would be. */
  readonly path: string;
  /** The path (or the symlink it ended in) requires a directory. */
  readonly mustBeDirectory: boolean;
  /** The path ended in `.`, in `..` or at the root: it names a directory by position, not by entry. */
  readonly endsInDots: boolean;
}

/**
 * How to treat a symlink as the last component: `follow` it; use the link `itself`, though a trailing slash follows it (lstat); or
 * use the `name`, for verbs that change it and handle a trailing slash themselves. `create` and `exclusive` are the two ways in
 * which open creates a file: a trailing slash is EISDIR.
 */
export type FinalSymlink = "follow" | "itself" | "name" | "create" | "exclusive";

const MAX_SYMLINKS = 40;
/** A name this short cannot be too long in bytes. */
const SURELY_SHORT = 85;

export function resolve(view: NameLookup, path: WorkspacePath, syscall: string, lastLink: FinalSymlink): Resolved {
  const found = resolveUnlessMissing(view, path, syscall, lastLink);
  if (found === null) throw new FsError("ENOENT", { syscall, path: path.given });
  return found;
}

/**
 * As `resolve`, but null when a parent directory is missing: creating an error captures a stack, which costs more than the walk.
 */
export function resolveUnlessMissing(
  view: NameLookup,
  path: WorkspacePath,
  syscall: string,
  lastLink: FinalSymlink,
): Resolved | null {
  return resolveByDirectory(view, path, lastLink) ?? walkPath(view, path, syscall, lastLink);
}

/** Agents return to the same directories all day: one lookup for the directory, one for the name. */
function resolveByDirectory(view: NameLookup, path: WorkspacePath, lastLink: FinalSymlink): Resolved | null {
  const { name } = path;
  if (path.mustBeDirectory || name.length > SURELY_SHORT) return null;
  const known = view.cachedDirectory(path.directory);
  const parent = known === undefined ? null : view.inode(known.ino);
  if (known === undefined || parent === null) return null;
  const inode = view.lookup(known.ino, name);
  if (inode !== null && isSymlink(inode) && (lastLink === "follow" || lastLink === "create")) return null;
  return { parent, name, inode, path: joinPath(known.path, name), mustBeDirectory: false, endsInDots: false };
}

function walkPath(view: NameLookup, path: WorkspacePath, syscall: string, lastLink: FinalSymlink): Resolved | null {
  // The part before a final `.` is a directory to enter, whatever the verb.
  const follow = lastLink === "follow" || lastLink === "create" || path.endsInDot;
  const making = lastLink === "create" || lastLink === "exclusive";
  const root = view.inode(ROOT_INO);
  if (root === null)
    throw new FsError("EIO", { syscall, path: path.given, reason: "the root directory is missing; run fsck()" });
  const above: Inode[] = [];
  const names: string[] = [];
  let directory = root;
  let parts = path.parts;
  let mustBeDirectory = path.mustBeDirectory;
  let hasLongName = path.hasLongName;
  let links = 0;
  let lastExpanded = false;

  for (let i = 0; i < parts.length; i++) {
    const name = parts[i] as string;
    if (!isDirectory(directory)) throw new FsError("ENOTDIR", { syscall, path: path.given });
    if (name === "..") {
      directory = above.pop() ?? root;
      names.pop();
      continue;
    }
    if (hasLongName && utf8Length(name) > MAX_NAME_BYTES)
      throw new FsError("ENAMETOOLONG", { syscall, path: path.given });
    const last = i === parts.length - 1;
    if (last && making && mustBeDirectory && !path.endsInDot)
      throw new FsError("EISDIR", { syscall, path: path.given });
    const child = view.lookup(directory.ino, name, parts, i);
    if (last && !lastExpanded && !path.mustBeDirectory)
      view.rememberDirectory(path.directory, { ino: directory.ino, path: joinNames(names) });
    if (child === null) {
      if (!last || path.endsInDot) return null;
      return { parent: directory, name, inode: null, path: joinNames(names, name), mustBeDirectory, endsInDots: false };
    }
    if (isSymlink(child) && (!last || follow || (mustBeDirectory && lastLink === "itself"))) {
      if (++links > MAX_SYMLINKS) throw new FsError("ELOOP", { syscall, path: path.given });
      const target = parseTarget(child.target ?? "", path.given);
      hasLongName ||= target.path.hasLongName;
      if (target.absolute) {
        directory = root;
        above.length = 0;
        names.length = 0;
      }
      if (last) {
        mustBeDirectory ||= target.path.mustBeDirectory;
        lastExpanded = true;
      }
      parts = [...target.path.parts, ...parts.slice(i + 1)];
      i = -1;
      continue;
    }
    if (last) {
      if (mustBeDirectory && !isDirectory(child) && (lastLink !== "name" || path.endsInDot))
        throw new FsError("ENOTDIR", { syscall, path: path.given });
      return {
        parent: directory,
        name,
        inode: child,
        path: joinNames(names, name),
        mustBeDirectory,
        endsInDots: path.endsInDot,
      };
    }
    above.push(directory);
    names.push(name);
    directory = child;
  }
  const parent = above.at(-1) ?? root;
  return {
    parent,
    name: names.at(-1) ?? "",
    inode: directory,
    path: joinNames(names),
    mustBeDirectory: true,
    endsInDots: true,
  };
}

/** Like `resolve`, but throws if the entry does not exist. */
export function resolveExisting(
  view: NameLookup,
  path: WorkspacePath,
  syscall: string,
  lastLink: FinalSymlink,
): Resolved & { readonly inode: Inode } {
  const found = resolve(view, path, syscall, lastLink);
  if (found.inode === null) throw new FsError("ENOENT", { syscall, path: path.given });
  return found as Resolved & { readonly inode: Inode };
}

function joinNames(names: readonly string[], last?: string): string {
  const directory = names.length === 0 ? "/" : `/${names.join("/")}`;
  return last === undefined ? directory : joinPath(directory, last);
}
