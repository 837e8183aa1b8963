/**
 * Resolves the source and the target of a clone: the source is a URL or a path, and the target is by default a directory named
 * after it.
 */
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { absolutePath } from "../text/absolute-path.ts";
import { findLocal } from "../wire/local-repository.ts";
import { isPath } from "../wire/remote-url.ts";

export interface CloneTarget {
  /** A relative path is joined to the working directory but not normalized, as git stores it. */
  readonly url: string;
  /** Where the source is, if it is in these files. */
  readonly localPath: string | null;
  /** As named, or guessed from the address. */
  readonly displayed: string;
  /** Absolute. */
  readonly directory: string;
}

export async function findCloneTarget(
  host: GitHost,
  cwd: string,
  { url: requested, directory, bare }: { url: string; directory: string | undefined; bare: boolean },
): Promise<CloneTarget> {
  const localPath = requested.includes("://") ? null : await findLocal(host, absolutePath(requested, cwd));
  if (localPath === null && isPath(requested))
    throw new GitError("ENOTFOUND", `repository '${requested}' does not exist`);
  const url = localPath === null || requested.startsWith("/") ? requested : `${cwd}/${requested}`;
  const displayed = directory ?? humanName(requested, bare);
  return { url, localPath, displayed, directory: absolutePath(displayed, cwd) };
}

/** Only an empty directory may exist. */
export async function refuseOccupied({ fs }: GitHost, { directory, displayed }: CloneTarget): Promise<void> {
  if (await isOccupied(fs, directory))
    throw new GitError("EEXIST", `destination path '${displayed}' already exists and is not an empty directory.`);
}

/** A shallow repository is not copied as it is. */
export async function isCopied({ fs }: GitHost, { localPath }: CloneTarget): Promise<boolean> {
  return localPath !== null && !(await fs.exists(`${localPath}/shallow`));
}

/** The last component of the address, without ".git". */
function humanName(url: string, bare: boolean): string {
  const path = url
    .replace(/^[a-z+.-]+:\/\//i, () => "")
    .replace(/(?<!\/)\/+$/, () => "")
    .replace(/\/\.git$/, () => "");
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1).replace(/\.git$/, () => "");
  if (name === "")
    throw new GitError("EINVAL", `No directory name could be guessed.\nPlease specify a directory on the command line`);
  return bare ? `${name}.git` : name;
}

async function isOccupied(fs: GitHost["fs"], directory: string): Promise<boolean> {
  const stat = await fs.lstat(directory).catch(() => null);
  if (stat === null) return false;
  return stat.type !== "dir" || (await fs.readdir(directory)).length > 0;
}
