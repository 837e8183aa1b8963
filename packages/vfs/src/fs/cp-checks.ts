/** Node's checks before and during a copy, in its order and with its codes; `path` is then the destination, as in Node. */
import { FsError } from "../api/errors.ts";
import type { CpOptions } from "../api/file-system.ts";
import { type Inode, isDirectory, isFile, isSymlink } from "../tree/inode.ts";
import { joinPath, parsePath, pathPrefix, type WorkspacePath } from "../tree/path.ts";
import { type FinalSymlink, type NameLookup, type Resolved, resolve, resolveExisting } from "../tree/resolve.ts";
import { isDescendant } from "./rename.ts";

export function checkCopy(
  view: NameLookup,
  source: Resolved & { readonly inode: Inode },
  from: string,
  to: string,
  options: CpOptions,
  syscall: string,
): void {
  const target = resolveMaybe(view, to, syscall, syscall === "stat" ? "follow" : "itself")?.inode ?? null;
  const directory = isDirectory(source.inode);
  if (target !== null) {
    if (target.ino === source.inode.ino) throw refusal("ERR_FS_CP_EINVAL", to, "src and dest cannot be the same");
    if (directory && !isDirectory(target))
      throw refusal("ERR_FS_CP_DIR_TO_NON_DIR", to, "cannot overwrite non-directory with directory");
    if (!directory && isDirectory(target))
      throw refusal("ERR_FS_CP_NON_DIR_TO_DIR", to, "cannot overwrite directory with non-directory");
  }
  if (directory && isInside(view, lexicalPath(to), source)) {
    throw refusal("ERR_FS_CP_EINVAL", to, "cannot copy a directory to a subdirectory of itself");
  }
  if (directory && options.recursive !== true) {
    throw new FsError("ERR_FS_EISDIR", {
      syscall: "cp",
      path: from,
      reason: "Recursive option not enabled, cannot copy a directory",
    });
  }
  if (target !== null && options.errorOnExist === true && options.force !== true && !isSymlink(source.inode)) {
    throw refusal("ERR_FS_CP_EEXIST", to, "Target already exists");
  }
}

/** A missing path that ends in a slash or dot can only be created as a directory, and not through a dangling link. */
export function checkEnding(view: NameLookup, source: Inode, from: string, to: string): void {
  const path = parsePath(to, "cp");
  if (!path.mustBeDirectory || (resolveMaybe(view, path, "cp", "follow")?.inode ?? null) !== null) return;
  const dangling = (resolveMaybe(view, pathPrefix(path, path.parts.length), "cp", "name")?.inode ?? null) !== null;
  // Node creates the part before a dot first.
  if (path.endsInDot && dangling) throw new FsError("ENOENT", { syscall: "mkdir", path: to });
  if (isFile(source)) throw new FsError("EISDIR", { syscall: "copyfile", path: from, dest: to });
  if (path.endsInDot || dangling) throw new FsError("EEXIST", { syscall: "cp", path: from, dest: to });
  if (isSymlink(source)) throw new FsError("ENOENT", { syscall: "symlink", path: source.target ?? "", dest: to });
}

/** Node refuses to replace one link with another when one target lies inside the other. */
export function checkLinkOverLink(view: NameLookup, from: string, resolvedSource: string, target: Resolved): void {
  const text = target.inode?.target ?? "";
  const resolvedTarget = text.startsWith("/") ? text : lexicalPath(joinPath(dirname(target.path), text));
  const source = resolveExisting(view, parsePath(from, "stat"), "stat", "follow").inode;
  if (!isDirectory(source)) return;
  if (`${resolvedTarget}/`.startsWith(`${resolvedSource}/`)) {
    throw refusal(
      "ERR_FS_CP_EINVAL",
      target.path,
      `cannot copy ${resolvedSource} to a subdirectory of self ${resolvedTarget}`,
    );
  }
  if (`${resolvedSource}/`.startsWith(`${resolvedTarget}/`)) {
    throw refusal(
      "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY",
      target.path,
      `cannot overwrite ${resolvedTarget} with ${resolvedSource}`,
    );
  }
}

export function resolveMaybe(
  view: NameLookup,
  path: string | WorkspacePath,
  syscall: string,
  lastLink: FinalSymlink,
): Resolved | null {
  try {
    return resolve(view, typeof path === "string" ? parsePath(path, syscall) : path, syscall, lastLink);
  } catch (error) {
    if (error instanceof FsError && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Node's `path.resolve`: `..` by text. */
export function lexicalPath(path: string): string {
  const parts: string[] = [];
  for (const part of parsePath(path, "cp").parts) {
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function dirname(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** Whether `to`, or the nearest directory above it that exists, lies under the source. */
function isInside(view: NameLookup, to: string, source: Resolved & { readonly inode: Inode }): boolean {
  if (`${to}/`.startsWith(`${source.path}/`)) return true;
  for (let at = to; at !== "/"; at = dirname(at)) {
    const found = resolveMaybe(view, dirname(at), "stat", "follow")?.inode;
    if (found) return isDirectory(found) && isDescendant(view, found, source.inode.ino);
  }
  return false;
}

function refusal(
  code:
    | "ERR_FS_CP_EINVAL"
    | "ERR_FS_CP_EEXIST"
    | "ERR_FS_CP_DIR_TO_NON_DIR"
    | "ERR_FS_CP_NON_DIR_TO_DIR"
    | "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY",
  path: string,
  reason: string,
): FsError {
  return new FsError(code, { syscall: "cp", path, reason });
}
