/** Converts the stat of a path to an entry as the API returns it. */
import type { FileStat } from "@cloudflare/workspace";
import type { Entry } from "../api/tree.ts";

export function toEntry(path: string, { type, size, mtimeMs, version, mode }: FileStat): Entry {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { path, name, type: type === "dir" ? "directory" : type, size, mtime: mtimeMs, version, mode };
}
