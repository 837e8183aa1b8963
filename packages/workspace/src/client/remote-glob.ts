/**
 * `glob`. An `exclude` function is evaluated here, on the answer: for each path and each directory above it, as a pruning walk
 * would. So the answer is the same, though the object walks more than it would with patterns.
 */
import { FsError, type GlobOptions, optionsOf } from "@workspace/vfs";
import { takeList } from "./incoming.ts";
import type { RpcClient } from "./rpc-client.ts";

export async function remoteGlob(
  connection: RpcClient,
  pattern: string | readonly string[],
  options: GlobOptions = {},
): Promise<string[]> {
  const { exclude, limit, ...rest } = optionsOf<GlobOptions>("glob", options, String(pattern));
  if (typeof exclude !== "function")
    return takeList(connection, "glob", await connection.call("glob", [pattern, { ...rest, exclude, limit }]));
  const found = await takeList<string>(connection, "glob", await connection.call("glob", [pattern, rest]));
  const retained = found.filter(notExcluded(exclude));
  if (limit === undefined || retained.length <= limit) return retained;
  throw new FsError("EFBIG", { syscall: "glob", path: rest.cwd ?? "", reason: `more than ${limit} paths match` });
}

function notExcluded(exclude: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const excluded = (path: string): boolean => {
    let answer = known.get(path);
    if (answer === undefined) {
      const slash = path.lastIndexOf("/");
      answer = (slash > 0 && excluded(path.slice(0, slash))) || exclude(path);
      known.set(path, answer);
    }
    return answer;
  };
  return (path) => !excluded(path);
}
