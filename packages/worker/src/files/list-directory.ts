/**
 * GET of a directory: a page of its entries with their stats, in byte order of names. The cursor is the last name of the page before,
 * so what comes and goes meanwhile loses and doubles nothing else. A directory of usual size is one scan; a huge one is never
 * brought here whole: its names are passed over page by page, and only the entries of this page are asked for their stats.
 */
import { type FileStat, type FileSystem, FsError, type ScanEntry } from "@cloudflare/workspace";
import { HttpError } from "../errors/http-error.ts";
import { queryOf } from "../http/query.ts";
import { LIMITS } from "../limits.ts";
import type { Found } from "./locate.ts";

export interface ListedEntry {
  name: string;
  type: "file" | "directory" | "symlink";
  size: number;
  /** ISO 8601. */
  modified: string;
  /** A file's ETag without its quotes. */
  version: string;
}

export interface Listing extends Omit<ListedEntry, "name"> {
  path: string;
  type: "directory";
  entries: ListedEntry[];
  /** Pass as `?cursor=` for the entries after these; null when there are none. */
  cursor: string | null;
}

export async function listDirectory(fs: FileSystem, request: Request, asked: string, found: Found): Promise<Response> {
  const { cursor, limit } = queryOf(request.url, ["cursor", "limit"]);
  const page = { after: cursor === undefined ? null : parseCursor(cursor), limit: parseLimit(limit) };
  const { entries, more } = await ((await isSmall(fs, found.path))
    ? fromScan(fs, found.path, page)
    : fromNames(fs, found.path, page));
  const last = entries.at(-1)?.name;
  const listing: Listing = {
    path: asked,
    ...described(found.stat),
    type: "directory",
    entries: entries.map(({ name, stat }) => ({ name, ...described(stat) })),
    cursor: more && last !== undefined ? cursorAt(last) : null,
  };
  return Response.json(listing);
}

interface PageAsked {
  after: Uint8Array | null;
  limit: number;
}

interface Page {
  entries: ScanEntry[];
  more: boolean;
}

async function isSmall(fs: FileSystem, path: string): Promise<boolean> {
  await using directory = await fs.opendir(path);
  for (let seen = 0; seen <= LIMITS.scanEntries; seen++) if ((await directory.read()) === null) return true;
  return false;
}

async function fromScan(fs: FileSystem, path: string, { after, limit }: PageAsked): Promise<Page> {
  const entries = (await fs.scan(path)).filter(({ name }) => isAfter(name, after));
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

async function fromNames(fs: FileSystem, path: string, { after, limit }: PageAsked): Promise<Page> {
  const most = Math.min(limit, LIMITS.unscannedPage);
  const names: string[] = [];
  for await (const { name } of await fs.opendir(path)) {
    if (isAfter(name, after)) names.push(name);
    if (names.length > most) break;
  }
  const more = names.length > most;
  const entries: ScanEntry[] = [];
  for (let at = 0; at < most; at += LIMITS.statsAtOnce) {
    const some = names.slice(at, Math.min(at + LIMITS.statsAtOnce, most));
    entries.push(...(await Promise.all(some.map((name) => entryOf(fs, path, name)))).filter((entry) => entry !== null));
  }
  return { entries, more };
}

/** Null when it was removed since its name was read. */
async function entryOf(fs: FileSystem, path: string, name: string): Promise<ScanEntry | null> {
  try {
    return { name, stat: await fs.lstat(`${path}/${name}`) };
  } catch (error) {
    if (error instanceof FsError && error.code === "ENOENT") return null;
    throw error;
  }
}

function described(stat: FileStat): Omit<ListedEntry, "name"> {
  const type = stat.type === "dir" ? "directory" : stat.type;
  return { type, size: stat.size, modified: new Date(stat.mtimeMs).toISOString(), version: stat.version };
}

const encoder = new TextEncoder();

/** In byte order of UTF-8, which is the order of a directory; JavaScript compares UTF-16, which is another. */
function isAfter(name: string, after: Uint8Array | null): boolean {
  if (after === null) return true;
  const bytes = encoder.encode(name);
  const shared = Math.min(bytes.length, after.length);
  for (let i = 0; i < shared; i++) if (bytes[i] !== after[i]) return (bytes[i] as number) > (after[i] as number);
  return bytes.length > after.length;
}

/** The name's bytes in base64url: names may hold anything, and a cursor is to be passed on, not read. */
function cursorAt(name: string): string {
  const binary = String.fromCharCode(...encoder.encode(name));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function parseCursor(cursor: string): Uint8Array {
  // A length of 4n + 1 is no whole number of bytes.
  if (!/^[A-Za-z0-9_-]{2,344}$/.test(cursor) || cursor.length % 4 === 1) {
    throw new HttpError("EINVAL", "not a cursor", { hint: "Pass the cursor of the page before as it is." });
  }
  return Uint8Array.from(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

function parseLimit(limit: string | undefined): number {
  if (limit === undefined) return LIMITS.listPage;
  const count = /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (count >= 1 && count <= LIMITS.listPage) return count;
  throw new HttpError("EINVAL", "not a limit", { hint: `limit is a number from 1 to ${LIMITS.listPage}.` });
}
