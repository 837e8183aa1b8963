/**
 * Resolves a path, following links. The URL cannot leave the root, but a link in the workspace can; a path behind such a link is
 * refused. The resolved path has no links in it; use it for reads and writes. (Anyone who swaps a directory for a link between this
 * check and the verb already has access to the workspace, and gains nothing.)
 */
import { type FileStat, type FileSystem, FsError } from "@cloudflare/workspace";
import { HttpError } from "../../errors/http-error.ts";
import { isInside, ROOT } from "../../http/workspace-path.ts";
import { LIMITS } from "../../limits.ts";

export interface ResolvedPath {
  path: string;
  stat: FileStat;
}

/** Nothing exists there yet. The deepest existing parent is free of links and under the root. */
export interface MissingPath {
  path: string;
  stat: null;
  /** The directory to create first; null if it exists. */
  missingParent: string | null;
}

export async function resolvePath(fs: FileSystem, path: string): Promise<ResolvedPath | MissingPath> {
  for (let attempt = 0; attempt < LIMITS.openAttempts; attempt++) {
    const at = (await locateFound(fs, path)) ?? (await locateMissing(fs, path));
    if (at !== "appeared") return at;
  }
  throw new HttpError("EAGAIN", "what is there comes and goes too fast", { path });
}

/** Like `resolvePath`, but the entry must exist. */
export async function resolveExisting(fs: FileSystem, path: string): Promise<ResolvedPath> {
  const found = await resolvePath(fs, path);
  if (found.stat === null) throw new FsError("ENOENT", { syscall: "stat", path });
  return found;
}

export interface ResolvedEntry {
  path: string;
  /** Of the entry itself, even if it is a link. */
  lstat: FileStat;
  /** Of the entry that GET would show; null behind a broken link. */
  stat: FileStat | null;
}

/** The entry of that name, a link itself if it is one: DELETE removes this. */
export async function resolveEntry(fs: FileSystem, path: string): Promise<ResolvedEntry> {
  if (path === ROOT) {
    const stat = await fs.stat(path);
    return { path, lstat: stat, stat: stat };
  }
  const parent = inside(await fs.realpath(dirname(path)), path);
  const at = `${parent}/${basename(path)}`;
  const [lstat, shown] = await Promise.all([fs.lstat(at), fs.stat(at).catch(() => null)]);
  return { path: at, lstat, stat: shown };
}

export function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

async function locateFound(fs: FileSystem, path: string): Promise<ResolvedPath | null> {
  const [real, stat] = await Promise.all([unlessMissing(fs.realpath(path)), unlessMissing(fs.stat(path))]);
  return real === null || stat === null ? null : { path: inside(real, path), stat };
}

/** "appeared": the path was missing a moment ago and exists now. */
async function locateMissing(fs: FileSystem, path: string): Promise<MissingPath | "appeared"> {
  let child = path;
  for (let level = 0; level <= LIMITS.newParents; level++) {
    const parent = dirname(child);
    const [real, blocking] = await Promise.all([unlessMissing(fs.realpath(parent)), unlessMissing(fs.lstat(child))]);
    if (blocking !== null && blocking.type !== "symlink") return "appeared";
    if (blocking !== null) throw leadsNowhere(path);
    if (real !== null) {
      const target = `${inside(real, path)}${path.slice(parent.length)}`;
      return { path: target, stat: null, missingParent: level === 0 ? null : dirname(target) };
    }
    child = parent;
  }
  throw new HttpError("EINVAL", `more than ${LIMITS.newParents} directories are missing`, {
    path,
    hint: "Make some of them first.",
  });
}

function inside(real: string, path: string): string {
  if (isInside(real)) return real;
  throw new HttpError("EACCES", "a link on this path leads out of the workspace's root", { path });
}

function leadsNowhere(path: string): HttpError {
  const hint = "Remove the link, or make what it points to.";
  return new HttpError("ENOENT", "a link on this path leads nowhere", { path, hint });
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof FsError && error.code === "ENOENT";
}
