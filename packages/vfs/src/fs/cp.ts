/**
 * `cp`, with Node's options and codes. The filter may await, so the sources are chosen first; then everything is copied in one
 * transaction, in which each chosen source must still be what it was. Copies share content.
 */
import { type FsContext, mutate } from "../context.ts";
import { FsError, type FsErrorFields } from "../errors.ts";
import type { CpOptions } from "../filesystem.ts";
import { type Inode, isDirectory, isSymlink, S_IFDIR, S_IFLNK, S_IFMT, UMASK } from "../inode.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { joinPath, parsePath, utf8Length } from "../path.ts";
import { type Resolved, resolve, resolveExisting, type View } from "../resolve.ts";
import { entriesOf } from "../walk/entries.ts";
import { copyContent } from "./copy-file.ts";
import { makeDirectories } from "./mkdir.ts";
import { isWithin } from "./rename.ts";
import { withDest } from "./with-dest.ts";

interface Chosen {
  readonly from: string;
  readonly to: string;
  readonly rev: number;
  readonly ino: number;
}

export async function cp(ctx: FsContext, from: string, to: string, options: CpOptions = {}): Promise<void> {
  const fields = { syscall: "cp", path: from, dest: to };
  if (options?.filter !== undefined && typeof options.filter !== "function") throw new FsError("EINVAL", { ...fields, reason: "filter must be a function" });
  const settled = { force: true, ...options };
  const source = withDest(fields, () => normal(from));
  const target = withDest(fields, () => normal(to));
  const chosen = await choose(ctx, source, target, settled, fields);
  withDest(fields, () =>
    mutate(ctx, (mutation) => {
      const deferred: [Resolved, Inode][] = [];
      for (const [i, entry] of chosen.entries()) {
        if (i === 0) makeParent(mutation, entry.to);
        copyOne(mutation, entry, settled, deferred);
      }
      // A directory's mode is set last, as Node does; ours are not enforced, but the order shows in the log.
      for (const [slot, inode] of deferred) mutation.setAttributes(slot, mutation.inode(slot.inode?.ino ?? 0) ?? inode, { mode: inode.mode });
    }),
  );
}

/** Walks the sources, asks the filter, and checks what Node checks before it copies anything. */
async function choose(ctx: FsContext, from: string, to: string, options: CpOptions, fields: FsErrorFields): Promise<Chosen[]> {
  const { cache } = ctx.volume.open();
  const chosen: Chosen[] = [];
  const pending: [string, string][] = [[from, to]];
  while (pending.length > 0) {
    const [source, target] = pending.pop() as [string, string];
    if (options.filter !== undefined && !(await options.filter(source, target))) continue;
    const found = find(cache, source, options.dereference === true, fields);
    checkPair(cache, found, target, options, fields);
    chosen.push({ from: source, to: target, rev: found.inode.rev, ino: found.inode.ino });
    if (chosen.length > ctx.volume.limits.bulkEntries) throw new FsError("EFBIG", { ...fields, reason: "too many entries for one copy" });
    if (!isDirectory(found.inode)) continue;
    if (options.recursive !== true) throw new FsError("ERR_FS_EISDIR", { ...fields, reason: `Recursive option not enabled, cannot copy a directory: ${source}` });
    const names = Array.from(entriesOf(ctx.volume, found.inode.ino), ([name]) => name);
    for (const name of names.reverse()) pending.push([joinPath(source, name), joinPath(target, name)]);
  }
  return chosen;
}

function checkPair(view: View, source: Resolved & { readonly inode: Inode }, to: string, options: CpOptions, fields: FsErrorFields): void {
  const target = resolveMaybe(view, to, options.dereference === true);
  const directory = isDirectory(source.inode);
  if (target?.inode) {
    const there = target.inode;
    if (there.ino === source.inode.ino) throw new FsError("ERR_FS_CP_EINVAL", { ...fields, reason: "src and dest cannot be the same" });
    if (directory && !isDirectory(there)) throw new FsError("ERR_FS_CP_DIR_TO_NON_DIR", { ...fields, reason: "cannot overwrite non-directory with directory" });
    if (!directory && isDirectory(there)) throw new FsError("ERR_FS_CP_NON_DIR_TO_DIR", { ...fields, reason: "cannot overwrite directory with non-directory" });
  }
  if (directory && isInside(view, to, source)) {
    throw new FsError("ERR_FS_CP_EINVAL", { ...fields, reason: "cannot copy a directory to a subdirectory of itself" });
  }
}

/** Whether `to`, or the nearest directory above it that exists, lies under the source. */
function isInside(view: View, to: string, source: Resolved & { readonly inode: Inode }): boolean {
  if (`${to}/`.startsWith(`${source.path}/`) && to !== source.path) return true;
  for (let at = to; at !== "/"; at = parentOf(at)) {
    const found = resolveMaybe(view, parentOf(at), true)?.inode;
    if (found) return isDirectory(found) && isWithin(view, found, source.inode.ino);
  }
  return false;
}

function copyOne(mutation: Mutation, { from, to, rev, ino }: Chosen, options: CpOptions, deferred: [Resolved, Inode][]): void {
  const source = resolveExisting(mutation, parsePath(from, "cp"), "cp", options.dereference === true).inode;
  if (source.ino !== ino || (source.rev !== rev && !isDirectory(source))) throw new FsError("ESTALE", { syscall: "cp", path: from, reason: "the source changed while the filter ran" });
  const target = resolve(mutation, parsePath(to, "cp"), "cp", options.dereference === true);
  const times = options.preserveTimestamps === true ? { mtime: source.mtime } : {};
  if (isDirectory(source)) {
    if (target.inode !== null) return;
    const made = mutation.create(target, { mode: S_IFDIR | (0o777 & ~UMASK) });
    if (made.mode !== source.mode) deferred.push([{ ...target, inode: made }, source]);
    return;
  }
  if (isSymlink(source)) return copySymlink(mutation, from, source, target, options);
  if (target.inode !== null) {
    if (options.force !== true) {
      if (options.errorOnExist === true) throw new FsError("ERR_FS_CP_EEXIST", { syscall: "cp", path: from, dest: to, reason: `${to} already exists` });
      return;
    }
    mutation.remove(target, target.inode);
  }
  const slot = { ...target, parent: mutation.inode(target.parent.ino) ?? target.parent, inode: null };
  const copied = copyContent(mutation, source, slot);
  const mode = source.mode;
  if (copied.mode !== mode || "mtime" in times) mutation.setAttributes(slot, copied, { mode: (copied.mode & S_IFMT) | (mode & 0o7777), ...times });
}

function copySymlink(mutation: Mutation, from: string, source: Inode, target: Resolved, options: CpOptions): void {
  const text = source.target ?? "";
  const resolved = options.verbatimSymlinks === true || text.startsWith("/") ? text : normal(joinPath(parentOf(from), text));
  if (target.inode !== null) {
    if (!isSymlink(target.inode)) throw new FsError("EEXIST", { syscall: "symlink", path: resolved, dest: target.path });
    checkLinkOverLink(mutation, from, resolved, target);
    mutation.remove(target, target.inode);
  }
  const slot = { ...target, parent: mutation.inode(target.parent.ino) ?? target.parent };
  mutation.create(slot, { mode: S_IFLNK | 0o777, target: resolved, size: utf8Length(resolved) });
}

/** Node refuses to replace one link by another when one target lies inside the other. */
function checkLinkOverLink(mutation: Mutation, from: string, resolvedSource: string, target: Resolved): void {
  const text = target.inode?.target ?? "";
  const resolvedTarget = text.startsWith("/") ? text : normal(joinPath(parentOf(target.path), text));
  const directory = resolveMaybe(mutation, from, true)?.inode;
  if (!directory || !isDirectory(directory)) return;
  const fields = { syscall: "cp", path: resolvedSource, dest: resolvedTarget };
  if (`${resolvedTarget}/`.startsWith(`${resolvedSource}/`)) {
    throw new FsError("ERR_FS_CP_EINVAL", { ...fields, reason: `cannot copy ${resolvedSource} to a subdirectory of self ${resolvedTarget}` });
  }
  if (`${resolvedSource}/`.startsWith(`${resolvedTarget}/`)) {
    throw new FsError("ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY", { ...fields, reason: `cannot overwrite ${resolvedTarget} with ${resolvedSource}` });
  }
}

function makeParent(mutation: Mutation, to: string): void {
  makeDirectories(mutation, parsePath(parentOf(to), "cp"), S_IFDIR | (0o777 & ~UMASK));
}

function find(view: View, path: string, follow: boolean, fields: FsErrorFields): Resolved & { readonly inode: Inode } {
  return withDest({ ...fields, syscall: follow ? "stat" : "lstat" }, () => resolveExisting(view, parsePath(path, "cp"), follow ? "stat" : "lstat", follow));
}

function resolveMaybe(view: View, path: string, follow: boolean): Resolved | null {
  try {
    return resolve(view, parsePath(path, "cp"), "cp", follow);
  } catch (error) {
    if (error instanceof FsError && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Node's `path.resolve`: `..` by text. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of parsePath(path, "cp").parts) {
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf("/")));
}
