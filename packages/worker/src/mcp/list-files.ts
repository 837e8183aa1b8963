/**
 * Lists every file below the root, depth first in byte order of names, one page at a time. The cursor is the last path of the
 * previous page: the walk resumes by descending to it, so a page costs its entries and one scan per level, and concurrent changes
 * neither skip nor repeat other files. `.git` is excluded.
 */
import type { FileStat, FileSystem, ScanEntry } from "@cloudflare/workspace";
import { ROOT } from "../http/workspace-path.ts";
import { MCP_LIMITS } from "./limits.ts";

export interface ListedFile {
  path: string;
  stat: FileStat;
}

export interface FilePage {
  files: ListedFile[];
  /** The path to resume after; null on the last page. */
  after: string | null;
}

/** A directory with its entries still to visit. */
interface ListLevel {
  path: string;
  /** Read but not visited yet. */
  entries: ScanEntry[];
  /** Where to read on; null at the end of the directory. */
  next: { after?: string } | null;
}

export async function listFiles(
  fs: FileSystem,
  after: string | null,
  limit: number = MCP_LIMITS.page,
): Promise<FilePage> {
  const levels = after === null ? [levelOf(ROOT)] : levelsAt(after);
  const files: ListedFile[] = [];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const entry = level.entries.shift();
    if (entry === undefined) {
      if (level.next === null) levels.pop();
      else await readOn(fs, level, limit);
      continue;
    }
    const path = `${level.path}/${entry.name}`;
    if (entry.stat.type === "dir" && entry.name !== ".git") levels.push(levelOf(path));
    if (entry.stat.type !== "file") continue;
    // One extra entry shows whether there are more.
    if (files.length === limit) return { files, after: files.at(-1)?.path ?? null };
    files.push({ path, stat: entry.stat });
  }
  return { files, after: null };
}

function levelOf(path: string, after?: string): ListLevel {
  return { path, entries: [], next: after === undefined ? {} : { after } };
}

/** The directories on the way to a path, each at the walk's position; the deepest last. */
function levelsAt(path: string): ListLevel[] {
  const names = path.slice(ROOT.length + 1).split("/");
  return names.map((name, depth) => levelOf([ROOT, ...names.slice(0, depth)].join("/"), name));
}

/** A directory removed since the previous page has no entries. */
async function readOn(fs: FileSystem, level: ListLevel, limit: number): Promise<void> {
  const entries = await fs.scan(level.path, { ...level.next, limit }).catch((error: { code?: string }) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  level.entries = entries;
  level.next = entries.length < limit ? null : { after: entries.at(-1)?.name };
}
