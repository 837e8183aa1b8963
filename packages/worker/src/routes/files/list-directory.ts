/**
 * GET of a directory: one page of entries with their stats, in byte order of names. The cursor is the last name of the previous
 * page, so concurrent changes neither skip nor repeat other entries. The cost depends on the page, not on the directory's size.
 */
import type { FileStat, FileSystem } from "@cloudflare/workspace";
import type { FilesQuery } from "../../api/files.ts";
import type { ListedEntry, Listing } from "../../api/listing.ts";
import { HttpError } from "../../errors/http-error.ts";
import { LIMITS } from "../../limits.ts";
import type { ResolvedPath } from "./resolve-path.ts";

export type { Listing };

export async function listDirectory(
  fs: FileSystem,
  { cursor, limit: max = LIMITS.listPage }: FilesQuery,
  requested: string,
  found: ResolvedPath,
): Promise<Response> {
  const after = cursor === undefined ? {} : { after: parseCursor(cursor) };
  // Requests one extra entry, to know whether there are more.
  const page = await fs.scan(found.path, { ...after, limit: max + 1 });
  const entries = page.slice(0, max);
  const more = page.length > max;
  const last = entries.at(-1)?.name;
  const listing: Listing = {
    path: requested,
    ...described(found.stat),
    type: "directory",
    entries: entries.map(({ name, stat }) => ({ name, ...described(stat) })),
    cursor: more && last !== undefined ? cursorAt(last) : null,
  };
  return Response.json(listing);
}

function described(stat: FileStat): Omit<ListedEntry, "name"> {
  const type = stat.type === "dir" ? "directory" : stat.type;
  return { type, size: stat.size, modified: new Date(stat.mtimeMs).toISOString(), version: stat.version };
}

const encoder = new TextEncoder();

/** The name's bytes in base64url: names may contain anything, and the cursor is opaque. */
function cursorAt(name: string): string {
  const binary = String.fromCharCode(...encoder.encode(name));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function parseCursor(cursor: string): string {
  // A length of 4n + 1 is not a whole number of bytes.
  if (!/^[A-Za-z0-9_-]{2,344}$/.test(cursor) || cursor.length % 4 === 1) throw notACursor();
  const bytes = Uint8Array.from(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notACursor();
  }
}

function notACursor(): HttpError {
  return new HttpError("EINVAL", "not a cursor", { hint: "Pass the cursor of the page before as it is." });
}
