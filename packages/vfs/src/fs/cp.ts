/**
 * `cp`, with Node's options and codes. The filter may await, so the sources are chosen first. Then everything is copied in one
 * transaction, which requires each chosen source to be unchanged. Copies share content.
 */

import { FsError } from "../api/errors.ts";
import type { CpOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { makeDirectories } from "../mutation/make-directories.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { type Inode, isDirectory, isSymlink, S_IFDIR, S_IFLNK, S_IFMT, UMASK } from "../tree/inode.ts";
import { joinPath, parsePath, utf8Length } from "../tree/path.ts";
import { type FinalSymlink, type NameLookup, type Resolved, resolve, resolveExisting } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";
import { directoryEntries } from "../walk/entries.ts";
import { COPYFILE_EXCL, copyContent } from "./copy-file.ts";
import { checkCopy, checkEnding, checkLinkOverLink, dirname, lexicalPath, resolveMaybe } from "./cp-checks.ts";

/** A source that the filter accepted, and its state at that time. */
interface CopySource {
  readonly from: string;
  readonly to: string;
  readonly ino: number;
  readonly rev: number;
}

export async function cp(ctx: FsContext, from: string, to: string, options: CpOptions = {}): Promise<void> {
  const settled: CpOptions = { force: true, ...optionsOf<CpOptions>("cp", options, from) };
  const chosen = await choose(ctx, from, to, settled);
  mutate(ctx, (mutation) => {
    const modes: [Resolved, number][] = [];
    checkVersions(mutation, from, to, settled);
    for (const [i, entry] of chosen.entries()) {
      if (i === 0)
        makeDirectories(mutation, parsePath(dirname(lexicalPath(entry.to)), "mkdir"), S_IFDIR | (0o777 & ~UMASK));
      copyOne(mutation, entry, settled, modes);
    }
    // A directory gets its mode after its entries, as in Node.
    for (const [slot, mode] of modes)
      mutation.setAttributes(slot, mutation.inode(slot.inode?.ino ?? 0) as Inode, { mode });
  });
}

function checkVersions(mutation: Mutation, from: string, to: string, options: CpOptions): void {
  const link = lastLink(options);
  const check = (expected: CpOptions["ifVersion"], path: string) => {
    if (expected === undefined) return;
    checkVersion(mutation.volume, expected, resolveMaybe(mutation, path, "cp", link)?.inode ?? null, "cp", path);
  };
  check(options.ifVersion, from);
  check(options.ifTargetVersion, to);
}

/** Walks the sources, calls the filter, and does the checks that Node does before it copies anything. */
async function choose(ctx: FsContext, from: string, to: string, options: CpOptions): Promise<CopySource[]> {
  const { volume } = ctx;
  const link = lastLink(options);
  const chosen: CopySource[] = [];
  const pending: [string, string][] = [[from, to]];
  while (pending.length > 0) {
    const [source, target] = pending.pop() as [string, string];
    if (options.filter !== undefined && !(await options.filter(source, target))) continue;
    const view: NameLookup = volume.ensureOpen().cache;
    const syscall = link === "follow" ? "stat" : "lstat";
    const found = resolveExisting(view, parsePath(source, syscall), syscall, link);
    checkCopy(view, found, source, target, options, syscall);
    chosen.push({ from: source, to: target, ino: found.inode.ino, rev: found.inode.rev });
    if (chosen.length > volume.limits.bulkEntries)
      throw new FsError("EFBIG", { syscall: "cp", path: from, dest: to, reason: "too many entries for one copy" });
    if (!isDirectory(found.inode)) continue;
    const names = Array.from(directoryEntries(volume, found.inode.ino), ([name]) => name);
    for (const name of names.reverse())
      pending.push([joinPath(lexicalPath(source), name), joinPath(lexicalPath(target), name)]);
  }
  return chosen;
}

function copyOne(
  mutation: Mutation,
  { from, to, ino, rev }: CopySource,
  options: CpOptions,
  modes: [Resolved, number][],
): void {
  const link = lastLink(options);
  // The state before this copy, which may write into a directory above and change what it copies.
  const source = resolveExisting(mutation.volume.cache, parsePath(from, "cp"), "cp", link).inode;
  if (source.ino !== ino || (source.rev !== rev && !isDirectory(source))) {
    throw new FsError("ESTALE", { syscall: "cp", path: from, reason: "the source changed while the filter ran" });
  }
  checkEnding(mutation, source, from, to);
  const target = resolve(mutation, parsePath(to, "cp"), "cp", link);
  if (isDirectory(source)) {
    if (target.inode !== null) return;
    const created = mutation.create(target, { mode: S_IFDIR | (0o777 & ~UMASK) });
    if (created.mode !== source.mode) modes.push([{ ...target, inode: created }, source.mode]);
  } else if (isSymlink(source)) copySymlink(mutation, from, source, target, options);
  else copyRegular(mutation, from, source, target, options);
}

function copyRegular(mutation: Mutation, from: string, source: Inode, target: Resolved, options: CpOptions): void {
  if (target.inode !== null) {
    // Without `force` an existing file stays; `errorOnExist` was checked before.
    if (options.force !== true) return;
    if (((options.mode ?? 0) & COPYFILE_EXCL) !== 0)
      throw new FsError("EEXIST", { syscall: "copyfile", path: from, dest: target.path });
    mutation.remove(target, target.inode);
  }
  const slot = { ...target, inode: null };
  const copied = copyContent(mutation, source, slot);
  const times = options.preserveTimestamps === true ? { mtime: source.mtime } : {};
  if (copied.mode === source.mode && options.preserveTimestamps !== true) return;
  mutation.setAttributes(slot, copied, { mode: (copied.mode & S_IFMT) | (source.mode & 0o7777), ...times });
}

/** A relative target becomes absolute, unless the caller wants it verbatim: the copy is elsewhere. */
function copySymlink(mutation: Mutation, from: string, source: Inode, target: Resolved, options: CpOptions): void {
  const text = source.target ?? "";
  const verbatim = options.verbatimSymlinks === true || text.startsWith("/");
  const resolved = verbatim ? text : lexicalPath(joinPath(dirname(lexicalPath(from)), text));
  if (target.inode !== null) {
    if (!isSymlink(target.inode))
      throw new FsError("EEXIST", { syscall: "symlink", path: resolved, dest: target.path });
    checkLinkOverLink(mutation, from, resolved, target);
    mutation.remove(target, target.inode);
  }
  mutation.create(target, { mode: S_IFLNK | 0o777, target: resolved, size: utf8Length(resolved) });
}

function lastLink(options: CpOptions): FinalSymlink {
  return options.dereference === true ? "follow" : "itself";
}
