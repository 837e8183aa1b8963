/**
 * `grep`, one message; and `grepStream`, one message per page: the object holds nothing between pages, since an answer's cursor
 * tells where to resume. A signal is checked between messages: the object finishes what it has begun, within its budget.
 */
import {
  FsError,
  type GrepHit,
  type GrepOptions,
  type GrepResult,
  type GrepStreamOptions,
  optionsOf,
  throwIfAborted,
} from "@workspace/vfs";
import type { RpcClient } from "./rpc-client.ts";

const PAGE = 1000;

export async function remoteGrep(
  connection: RpcClient,
  pattern: string | readonly string[],
  path: string,
  options: GrepOptions = {},
): Promise<GrepResult> {
  const { signal, ...rest } = optionsOf<GrepOptions>("grep", options, path);
  throwIfAborted(signal, "grep", path);
  const { value } = await connection.call("grep", [pattern, path, rest]);
  throwIfAborted(signal, "grep", path);
  return value as GrepResult;
}

export async function* remoteGrepStream(
  connection: RpcClient,
  pattern: string | readonly string[],
  path: string,
  options: GrepStreamOptions = {},
): AsyncGenerator<GrepHit> {
  const {
    maxHits = Number.POSITIVE_INFINITY,
    offset,
    ...rest
  } = optionsOf<GrepStreamOptions>("grepStream", options, path);
  let left = maxHits;
  let from: Pick<GrepOptions, "cursor" | "offset"> = offset === undefined ? {} : { offset };
  while (left > 0) {
    const answer = await remoteGrep(connection, pattern, path, { ...rest, ...from, maxHits: Math.min(left, PAGE) });
    yield* answer.hits;
    left -= answer.hits.length;
    if (answer.cursor === null) return;
    // A page that a budget ended may be empty; one without progress would be requested forever.
    if (answer.truncatedBy !== "hits" && answer.truncatedBy !== "output") {
      throw new FsError("EFBIG", {
        syscall: "grep",
        path,
        reason: `the search was cut short by its budget of ${answer.truncatedBy}`,
      });
    }
    from = { cursor: answer.cursor };
  }
}
