/**
 * DELETE removes a file, a link (never its target), or a directory: an empty one, or with `?recursive=1` all of it, in one
 * transaction. If-Match is compared with the ETag of GET; the removal is conditional on the entry's own version.
 */
import { type FileSystem, FsError } from "@cloudflare/workspace";
import { requiredVersion } from "./required-version.ts";
import { type ResolvedEntry, resolveEntry } from "./resolve-path.ts";

export async function deleteEntry(
  fs: FileSystem,
  request: Request,
  requested: string,
  { directory, recursive }: { directory: boolean; recursive: boolean },
): Promise<Response> {
  const entry = await entryOrNull(fs, requested);
  const shown =
    entry === null
      ? { path: requested, stat: null, missingParent: null }
      : { path: entry.path, stat: entry.stat ?? entry.lstat };
  const demanded = requiredVersion(request.headers, requested, shown);
  if (entry === null) throw new FsError("ENOENT", { syscall: "rm", path: requested });
  if (directory && entry.lstat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "rm", path: requested });
  const options = demanded === undefined ? {} : { ifVersion: entry.lstat.version };
  if (entry.lstat.type === "dir" && !recursive) await fs.rmdir(entry.path, options);
  else await fs.rm(entry.path, { recursive, ...options });
  return new Response(null, { status: 204 });
}

async function entryOrNull(fs: FileSystem, requested: string): Promise<ResolvedEntry | null> {
  try {
    return await resolveEntry(fs, requested);
  } catch (error) {
    if (error instanceof FsError && error.code === "ENOENT") return null;
    throw error;
  }
}
