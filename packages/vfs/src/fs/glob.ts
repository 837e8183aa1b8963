/** `glob`: Node's patterns over one walk per pattern base, pruned by what could still match. Paths are relative to `cwd`, as Node's. */
import { compileExclude, compileGlob, type Glob, GlobError } from "@workspace/glob";
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
  const globs = (typeof patterns === "string" ? [patterns] : patterns).map((pattern) => compile(pattern, compileGlob));
  const excluded = excluder(exclude);
  const start = resolve(volume.open().cache, parsePath(cwd, "glob"), "glob", "follow").inode;
  if (start === null || !isDirectory(start)) return [];
  const found: string[] = [];
  const entries = walk(volume, start, {
    limit: volume.limits.walkEntries,
    enter: ({ relative }) => globs.some((g) => g.mayContain(relative)) && !excluded(relative, true),
  });
  // The start itself is ".", as in Node.
  if (dirs && globs.some((g) => g.match(".", true)) && !excluded(".", false)) found.push(".");
  for (const { relative, inode } of entries) {
    const directory = isDirectory(inode);
    if (!dirs && directory) continue;
    if (!globs.some((g) => g.match(relative, directory)) || excluded(relative, false)) continue;
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

function compile(pattern: string, compiler: (pattern: string) => Glob): Glob {
  if (typeof pattern !== "string")
    throw new FsError("EINVAL", { syscall: "glob", path: String(pattern), reason: "a pattern must be a string" });
  try {
    return compiler(pattern);
  } catch (error) {
    if (error instanceof GlobError)
      throw new FsError("EINVAL", { syscall: "glob", path: pattern, reason: error.message, cause: error });
    throw error;
  }
}

/** `entering` asks whether to go into a directory, otherwise whether to yield the path. */
function excluder(exclude: GlobOptions["exclude"]): (relative: string, entering: boolean) => boolean {
  if (exclude === undefined) return () => false;
  if (typeof exclude === "function") return (relative) => exclude(relative);
  const globs = (typeof exclude === "string" ? [exclude] : exclude).map((pattern) => compile(pattern, compileExclude));
  return (relative, entering) => globs.some((g) => g.match(relative, entering));
}
