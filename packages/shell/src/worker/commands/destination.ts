/** Where `cp` and `mv` put things: into a directory that is there, or under a name of their own. */
import type { FileStat, FileSystem } from "@workspace/vfs";
import type { ParsedFlags } from "./flags.ts";
import { absolutePath, lastPart, makeRoomFor } from "./paths.ts";

export interface Transfer {
  /** As they were written. */
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly target: string;
}

/** A string: what is wrong. `-t` names the directory, `-T` says that the last word is none. */
export async function transfersOf(
  files: FileSystem,
  cwd: string,
  { words, values, has }: ParsedFlags,
): Promise<Transfer[] | string> {
  const into = values.get("t");
  const sources = into === undefined ? words.slice(0, -1) : words;
  const last = into ?? words.at(-1);
  if (last === undefined) return "missing file operand";
  if (sources.length === 0) return `missing destination file operand after '${last}'`;
  const place = absolutePath(cwd, last);
  await makeRoomFor(files, place);
  const isDirectory = !has.has("T") && ((await statOf(files, place))?.isDirectory() ?? false);
  if (!isDirectory && (sources.length > 1 || into !== undefined)) return `target '${last}': Not a directory`;
  return sources.map((from) => {
    const to = isDirectory ? `${last.replace(/\/+$/, () => "")}/${lastPart(from)}` : last;
    return { from, to, source: absolutePath(cwd, from), target: absolutePath(cwd, to) };
  });
}

export function statOf(files: FileSystem, path: string): Promise<FileStat | null> {
  return files.stat(path).catch(() => null);
}

/** What a file system says, in the words of the command. */
export function reasonOf(error: unknown): string {
  const code = (error as { code?: string }).code ?? "";
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "No such file or directory",
  ENOTDIR: "Not a directory",
  EISDIR: "Is a directory",
  EEXIST: "File exists",
  ENOTEMPTY: "Directory not empty",
  EBUSY: "Device or resource busy",
  EACCES: "Permission denied",
  EPERM: "Operation not permitted",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOSPC: "No space left on device",
};
