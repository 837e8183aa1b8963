/** `glob`: Node's patterns over one walk per pattern base, pruned by what could still match. Paths are relative to `cwd`, as Node's. */
import { compileGlob, GlobError } from "@workspace/glob";
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { GlobOptions } from "../filesystem.ts";
import { isDirectory } from "../inode.ts";
import { compareNames, parsePath } from "../path.ts";
import { resolve } from "../resolve.ts";
import { walk } from "../walk/walk.ts";

export async function glob(
  ctx: FsContext,
  patterns: string | readonly string[],
  options: GlobOptions = {},
): Promise<string[]> {
  const { volume } = ctx;
  const { cwd = volume.root, exclude, dirs = true, limit = volume.limits.globResults } = options ?? {};
  const globs = (typeof patterns === "string" ? [patterns] : patterns).map(compile);
  const excluded = excluder(exclude);
  const start = resolve(volume.open().cache, parsePath(cwd, "glob"), "glob", "follow").inode;
  if (start === null || !isDirectory(start)) return [];
  const found: string[] = [];
  const entries = walk(volume, start, {
    limit: volume.limits.walkEntries,
    enter: ({ relative }) => globs.some((g) => g.mayContain(relative)) && !excluded(relative),
  });
  for (const { relative, inode } of entries) {
    if (!dirs && isDirectory(inode)) continue;
    if (!globs.some((g) => g.match(relative)) || excluded(relative)) continue;
    if (found.length >= limit)
      throw new FsError("EFBIG", {
        syscall: "glob",
        path: cwd,
        reason: `more than ${limit} results; narrow the pattern`,
      });
    found.push(relative);
  }
  return found.sort(compareNames);
}

function compile(pattern: string) {
  if (typeof pattern !== "string")
    throw new FsError("EINVAL", { syscall: "glob", path: String(pattern), reason: "a pattern must be a string" });
  try {
    return compileGlob(pattern);
  } catch (error) {
    if (error instanceof GlobError)
      throw new FsError("EINVAL", { syscall: "glob", path: pattern, reason: error.message, cause: error });
    throw error;
  }
}

function excluder(exclude: GlobOptions["exclude"]): (relative: string) => boolean {
  if (exclude === undefined) return () => false;
  if (typeof exclude === "function") return (relative) => exclude(relative);
  const globs = (typeof exclude === "string" ? [exclude] : exclude).map(compile);
  return (relative) => globs.some((g) => g.match(relative));
}
