/**
 * `glob`: Node's patterns over a walk that is pruned by what could still match. Paths are relative to `cwd`, as Node's; those of an
 * absolute pattern are absolute.
 */
import { compileExclude, compileGlob, type Glob, GlobError } from "@workspace/glob";
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { GlobOptions } from "../filesystem.ts";
import { isDirectory } from "../inode.ts";
import { compareNames, parsePath } from "../path.ts";
import { resolve } from "../resolve.ts";
import { walkUnignored } from "../search/walk-unignored.ts";
import { walk } from "../walk/walk.ts";

export async function glob(
  ctx: FsContext,
  patterns: string | readonly string[],
  options: GlobOptions = {},
): Promise<string[]> {
  const { volume } = ctx;
  const { cwd = volume.root, exclude, dirs = true, limit = volume.limits.globResults, ignore = false } = options ?? {};
  const globs = (typeof patterns === "string" ? [patterns] : patterns).map((pattern) => compile(pattern, compileGlob));
  const excluded = excluder(exclude);
  const found: string[] = [];
  const collect = (from: string, prefix: "" | "/", wanted: readonly Glob[]) => {
    const { inode: start, path } = resolve(volume.open().cache, parsePath(from, "glob"), "glob", "follow");
    if (wanted.length === 0 || start === null || !isDirectory(start)) return;
    const take = (path: string, directory: boolean) => {
      if ((directory && !dirs) || !wanted.some((g) => g.match(path, directory)) || excluded(path, false)) return;
      if (found.length >= limit) throw tooMany(cwd, limit);
      found.push(path);
    };
    // The start itself is ".", as in Node.
    take(prefix === "" ? "." : prefix, true);
    const enter = ({ relative }: { relative: string }) =>
      wanted.some((g) => g.mayContain(prefix + relative)) && !excluded(prefix + relative, true);
    const asked = { limit: volume.limits.walkEntries, enter };
    const entries = ignore ? walkUnignored(volume, start, path, asked) : walk(volume, start, asked);
    for (const { relative, inode } of entries) {
      take(prefix + relative, isDirectory(inode));
    }
  };
  const isAbsolute = ({ pattern }: Glob) => pattern.startsWith("/");
  collect(
    cwd,
    "",
    globs.filter((g) => !isAbsolute(g)),
  );
  collect("/", "/", globs.filter(isAbsolute));
  return found.sort(compareNames);
}

function tooMany(path: string, limit: number): FsError {
  return new FsError("EFBIG", { syscall: "glob", path, reason: `more than ${limit} results; narrow the pattern` });
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
