/** `grep` and `grepStream`: lines that match, as an answer or as they are found. */
import type { GrepAnswer, GrepHit } from "@workspace/protocol";
import type { FsContext } from "../context.ts";
import type { GrepOptions, GrepStreamOptions } from "../filesystem.ts";
import { searchLimits } from "../limits.ts";
import { optionsOf } from "../options.ts";
import { answerQuery } from "../search/answer.ts";
import { engineFor } from "../search/engines.ts";
import { toQuery } from "../search/query.ts";
import { streamHits } from "../search/stream.ts";

export async function grep(
  { volume }: FsContext,
  pattern: string | readonly string[],
  path: string,
  options: GrepOptions = {},
): Promise<GrepAnswer> {
  const { signal, engine, ...asked } = optionsOf<GrepOptions>("grep", options, path);
  const query = toQuery(pattern, path, asked, searchLimits);
  return answerQuery(engineFor(volume, query, engine), query, signal);
}

export async function* grepStream(
  { volume }: FsContext,
  pattern: string | readonly string[],
  path: string,
  options: GrepStreamOptions = {},
): AsyncGenerator<GrepHit> {
  const { signal, engine, ...asked } = optionsOf<GrepStreamOptions>("grepStream", options, path);
  const query = toQuery(pattern, path, { maxHits: Number.MAX_SAFE_INTEGER, ...asked }, searchLimits);
  yield* streamHits(engineFor(volume, query, engine), query, signal);
}
