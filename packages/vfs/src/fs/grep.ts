/** `grep` and `grepStream`: matching lines, as one answer or as they are found. */
import type { GrepHit, GrepResult } from "@workspace/protocol";
import type { GrepOptions, GrepStreamOptions } from "../api/file-system.ts";
import { searchLimits } from "../api/limits.ts";
import { optionsOf } from "../api/options.ts";
import { chooseEngine } from "../search/choose-engine.ts";
import { parseGrepOptions } from "../search/query.ts";
import { runQuery } from "../search/run-query.ts";
import { streamHits } from "../search/stream.ts";
import type { ReadContext } from "../volume/context.ts";

export async function grep(
  { volume }: ReadContext,
  pattern: string | readonly string[],
  path: string,
  options: GrepOptions = {},
): Promise<GrepResult> {
  const { signal, engine, ...requested } = optionsOf<GrepOptions>("grep", options, path);
  const query = parseGrepOptions(pattern, path, requested, searchLimits);
  return runQuery(chooseEngine(volume, query, engine), query, signal);
}

export async function* grepStream(
  { volume }: ReadContext,
  pattern: string | readonly string[],
  path: string,
  options: GrepStreamOptions = {},
): AsyncGenerator<GrepHit> {
  const { signal, engine, ...requested } = optionsOf<GrepStreamOptions>("grepStream", options, path);
  const query = parseGrepOptions(pattern, path, { maxHits: Number.MAX_SAFE_INTEGER, ...requested }, searchLimits);
  yield* streamHits(chooseEngine(volume, query, engine), query, signal);
}
