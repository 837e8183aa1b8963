/** `readdir`, `scan` and `opendir`: names in byte order; directories too large to cache are read page by page. */

import { FsError } from "../api/errors.ts";
import type { Dirent, ReaddirOptions, ScanEntry, ScanOptions, TextEncodingName } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { DirectoryEntry } from "../node-args/stats.ts";
import { type Inode, isDirectory, typeCode, typeName } from "../tree/inode.ts";
import { compareNames, joinPath, parsePath } from "../tree/path.ts";
import { type Resolved, resolveExisting } from "../tree/resolve.ts";
import type { ReadContext } from "../volume/context.ts";
import { toStats } from "../volume/to-stats.ts";
import type { ReadView } from "../volume/views.ts";
import { directoryEntries } from "../walk/entries.ts";
import { allListed } from "../walk/listed.ts";
import { walk } from "../walk/walk.ts";

export async function readdir(
  ctx: ReadContext,
  given: string,
  options: ReaddirOptions | TextEncodingName = {},
): Promise<string[] | Dirent[]> {
  const { withFileTypes = false, recursive = false } = optionsOf<ReaddirOptions>("readdir", options, given);
  const { volume } = ctx;
  const { inode } = directoryAt(ctx, given);
  const at = stripSlash(given);
  if (recursive) return readdirRecursive(volume, inode, at, withFileTypes);
  const names = directoryNames(volume, inode);
  return withFileTypes
    ? names.map(({ name, type }) => new DirectoryEntry(name, given, typeName(type)))
    : names.map(({ name }) => name);
}

export async function scan(ctx: ReadContext, given: string, options: ScanOptions = {}): Promise<ScanEntry[]> {
  const { volume } = ctx;
  const { inode } = directoryAt(ctx, given);
  const { after = "", limit = Number.MAX_SAFE_INTEGER } = optionsOf<ScanOptions>("scan", options, given);
  if (typeof after !== "string" || !Number.isSafeInteger(limit) || limit < 1) {
    throw new FsError("EINVAL", {
      syscall: "scandir",
      path: given,
      reason: "after must be a name and limit a positive whole number",
    });
  }
  const paged = after !== "" || limit !== Number.MAX_SAFE_INTEGER;
  const entries = paged
    ? volume.tree.entries(inode.ino, after, limit).map(({ name, inode: child }) => [name, child] as const)
    : directoryEntries(volume, inode.ino);
  return Array.from(entries, ([name, child]) => ({ name, stat: toStats(volume, child) }));
}

export function directoryAt(
  { volume }: ReadContext,
  given: string,
  syscall = "scandir",
): Resolved & { readonly inode: Inode } {
  const found = resolveExisting(volume.ensureOpen().cache, parsePath(given, syscall), syscall, "follow");
  if (!isDirectory(found.inode)) throw new FsError("ENOTDIR", { syscall, path: given });
  return found;
}

function directoryNames(volume: ReadView, directory: Inode): { name: string; type: number }[] {
  const known = volume.cache.loadComplete(directory.ino);
  if (known !== undefined) {
    const names: { name: string; type: number }[] = [];
    for (const [name, ino] of volume.cache.sortedEntries(known, compareNames)) {
      const inode = ino === 0 ? null : volume.cache.inode(ino);
      if (inode !== null) names.push({ name, type: typeCode(inode) });
    }
    return names;
  }
  return allListed(volume.tree, directory.ino).map(([, name, , type]) => ({ name, type }));
}

function readdirRecursive(
  volume: ReadView,
  directory: Inode,
  given: string,
  withFileTypes: boolean,
): string[] | Dirent[] {
  const names: string[] = [];
  const entries: Dirent[] = [];
  for (const { name, relative, inode } of walk(volume, directory, { limit: volume.limits.walkEntries })) {
    if (!withFileTypes) {
      names.push(relative);
      continue;
    }
    const parent = relative.slice(0, Math.max(0, relative.length - name.length - 1));
    entries.push(new DirectoryEntry(name, parent === "" ? given : joinPath(given, parent), typeName(typeCode(inode))));
  }
  return withFileTypes ? entries : names;
}

export function stripSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
