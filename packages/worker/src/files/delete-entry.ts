/**
 * DELETE: a file, a link (never what it points to), or a directory: an empty one, or with `?recursive=1` all of it, in one
 * transaction. If-Match is judged by the tag that GET shows; what is removed is held to its own version.
 */
import { type FileSystem, FsError } from "@cloudflare/workspace";
import { demandedVersion } from "./demanded-version.ts";
import { type Entry, locateEntry } from "./locate.ts";

export async function deleteEntry(
  fs: FileSystem,
  request: Request,
  asked: string,
  { directory, recursive }: { directory: boolean; recursive: boolean },
): Promise<Response> {
  const entry = await entryOrNull(fs, asked);
  const shown =
    entry === null
      ? { path: asked, stat: null, missingParent: null }
      : { path: entry.path, stat: entry.shown ?? entry.own };
  const demanded = demandedVersion(request.headers, asked, shown);
  if (entry === null) throw new FsError("ENOENT", { syscall: "rm", path: asked });
  if (directory && entry.own.type !== "dir") throw new FsError("ENOTDIR", { syscall: "rm", path: asked });
  const options = demanded === undefined ? {} : { ifVersion: entry.own.version };
  if (entry.own.type === "dir" && !recursive) await fs.rmdir(entry.path, options);
  else await fs.rm(entry.path, { recursive, ...options });
  return new Response(null, { status: 204 });
}

async function entryOrNull(fs: FileSystem, asked: string): Promise<Entry | null> {
  try {
    return await locateEntry(fs, asked);
  } catch (error) {
    if (error instanceof FsError && error.code === "ENOENT") return null;
    throw error;
  }
}
