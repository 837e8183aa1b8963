/** `watch({ ignore })`: filters events by file name. It runs where the iterator is, so functions need not cross RPC. */
import { compileGlob, GlobError } from "@workspace/glob";
import { FsError } from "../api/errors.ts";
import type { WatchIgnore, WatchOptions } from "../api/file-system.ts";

export function watchFilter(ignore: WatchOptions["ignore"] | null, path: string): (filename: string) => boolean {
  if (ignore === undefined || ignore === null) return () => false;
  const list: readonly WatchIgnore[] = Array.isArray(ignore) ? ignore : [ignore as WatchIgnore];
  const tests = list.map((one) => testOf(one, path));
  return (filename) => tests.some((test) => test(filename));
}

function testOf(ignore: WatchIgnore, path: string): (filename: string) => boolean {
  if (typeof ignore === "function") return (filename) => Boolean(ignore(filename));
  // A copy: a global or sticky one would remember its last position.
  if (ignore instanceof RegExp) return (filename) => new RegExp(ignore).test(filename);
  if (typeof ignore !== "string" || ignore === "")
    throw invalid(path, "ignore takes globs, regular expressions and functions");
  const glob = compile(ignore, path);
  // As Node: a pattern without a slash matches the last name.
  if (ignore.includes("/")) return (filename) => glob.match(filename, false);
  return (filename) => glob.match(filename.slice(filename.lastIndexOf("/") + 1), false);
}

function compile(pattern: string, path: string) {
  try {
    return compileGlob(pattern);
  } catch (error) {
    if (error instanceof GlobError) throw invalid(path, error.message);
    throw error;
  }
}

function invalid(path: string, reason: string): FsError {
  return new FsError("EINVAL", { syscall: "watch", path, reason });
}
