/**
 * `glob`: Node's patterns over a walk that is pruned to what could still match. Paths are relative to `cwd`, as Node's; those of an
 * absolute pattern are absolute. The walk is in path order, so its results need no sorting.
 */

import { compileExclude, compileGlob, type Glob, GlobError } from "@workspace/glob";
import { FsError } from "../api/errors.ts";
import type { GlobOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { sortNames } from "../cache/sort-names.ts";
import { GlobDirectory, type GlobQuery, matchStart, mayHold } from "../match/glob-directory.ts";
import { createIgnoreFilter } from "../match/walk-filter.ts";
import { isDirectory } from "../tree/inode.ts";
import { compareNames, parsePath } from "../tree/path.ts";
import { resolve } from "../tree/resolve.ts";
import type { ReadContext } from "../volume/context.ts";
import type { ReadView } from "../volume/views.ts";
import type { DirectoryFrame } from "../walk/directory-frame.ts";
import { keepCode, keepWalkCode } from "../walk/keep-code.ts";
import { Walker } from "../walk/walker.ts";
import { yieldToRequests } from "../walk/yield-to-requests.ts";

export async function glob(
  ctx: ReadContext,
  patterns: string | readonly string[],
  options: GlobOptions = {},
): Promise<string[]> {
  keepWalkCode();
  keepCode("glob", () =>
    GlobDirectory.first({ globs: [compileGlob("**/*.a")], exclude: [], dirs: true, prefix: "" }).enter("a"),
  );
  const { volume } = ctx;
  const {
    cwd = volume.root,
    dirs = true,
    limit = volume.limits.globResults,
    ignore = false,
    exclude: excluded,
  } = optionsOf<GlobOptions>("glob", options, String(patterns));
  const all = (typeof patterns === "string" ? [patterns] : patterns).map((pattern) => compile(pattern, compileGlob));
  const exclude = compileExclusion(excluded);
  const isAbsolute = ({ pattern }: Glob) => pattern.startsWith("/");
  const relative = { globs: all.filter((one) => !isAbsolute(one)), exclude, dirs, prefix: "" } as const;
  const absolute = { globs: all.filter(isAbsolute), exclude, dirs, prefix: "/" } as const;
  const found = await collect(volume, cwd, relative, { ignore, limit });
  const others = await collect(volume, "/", absolute, { ignore, limit: limit - found.length });
  if (found.length > limit || others.length > limit - found.length)
    throw new FsError("EFBIG", {
      syscall: "glob",
      path: cwd,
      reason: `more than ${limit} results; narrow the pattern`,
    });
  return insert(found, others);
}

/** The matches from a directory on, in byte order: all, or one more than `limit`. */
async function collect(
  volume: ReadView,
  from: string,
  requested: GlobQuery,
  { ignore, limit }: { ignore: boolean; limit: number },
): Promise<string[]> {
  const { inode: start, path } = resolve(volume.ensureOpen().cache, parsePath(from, "glob"), "glob", "follow");
  if (requested.globs.length === 0 || start === null || !isDirectory(start)) return [];
  const gate = ignore ? createIgnoreFilter(volume, path) : null;
  const first = GlobDirectory.first(requested);
  const hereOf = (level: DirectoryFrame<GlobDirectory>) =>
    (level.state ??= level.above?.state?.enter(level.name) ?? first);
  const walker = new Walker<GlobDirectory>(volume, start, {
    what: "names",
    // An ignore filter tracks the rules of its current directory, and cannot alternate between two.
    order: gate === null ? "paths" : "names",
    limit: volume.limits.walkEntries,
    pick: (level) => hereOf(level).pick(level.listing),
    mayEnter: (below, depth) => mayHold(requested, below) && (gate === null || gate.mayEnter(below, depth)),
  });
  const itself = matchStart(requested);
  const found: string[] = [];
  for (let step = walker.step(); step !== "end" && found.length + itself.length <= limit; step = walker.step()) {
    if (step === "pause") {
      await yieldToRequests();
      continue;
    }
    if (gate !== null && !gate.accepts(walker)) continue;
    const { name, isDirectory, level } = walker;
    const here = hereOf(level);
    // A picked file has matched already.
    if (!isDirectory || here.yieldsDirectory(name)) found.push(here.prefix + name);
    if (isDirectory && here.opens(name) && walker.enter()) gate?.enter(walker);
  }
  return insert(gate === null ? found : sortNames(found), itself);
}

/** Both lists are sorted, and no path of one lies between two of the other. */
function insert(paths: string[], others: readonly string[]): string[] {
  const [first] = others;
  if (first === undefined) return paths;
  const after = paths.findIndex((path) => compareNames(path, first) > 0);
  const at = after < 0 ? paths.length : after;
  return [...paths.slice(0, at), ...others, ...paths.slice(at)];
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

function compileExclusion(exclude: GlobOptions["exclude"]): GlobQuery["exclude"] {
  if (exclude === undefined || typeof exclude === "function") return exclude ?? [];
  return (typeof exclude === "string" ? [exclude] : exclude).map((pattern) => compile(pattern, compileExclude));
}
