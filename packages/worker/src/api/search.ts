/** `search/glob` responds at once; `search/grep` is NDJSON, one line per hit as it is found and a final `end` or `error`. */
import type { GrepHit, GrepStats } from "@workspace/protocol";
import { z } from "zod";
import { countText, pathText } from "./path.ts";
import { bodyOptions, queryOptions } from "./verb-options.ts";

export const globQuery = z.strictObject({
  pattern: z.string().min(1).max(4096),
  ...queryOptions("glob"),
  limit: countText(10_000).optional(),
});
/** Relative to `cwd`, as in Node's `glob`. */
export const globResponse = z.object({ paths: z.array(z.string()), truncated: z.boolean() });
export type GlobResponse = z.infer<typeof globResponse>;

/**
 * The options of `fs.grep`, under the same names. Hits are streamed, whatever the work takes: there is no `budget`, and no `mode`
 * without hits.
 */
export const grepBody = z.strictObject({
  pattern: z.union([z.string(), z.array(z.string()).min(1).max(1000)]),
  path: pathText.optional(),
  ...bodyOptions("grep", ["mode", "budget"]),
});
export type GrepBody = z.infer<typeof grepBody>;

export type GrepEvent =
  | ({ type: "hit" } & GrepHit)
  | { type: "end"; truncated: boolean; truncatedBy: string | null; engine: string; stats: GrepStats; cursor?: string }
  | { type: "error"; error: { code: string; message: string; hint: string; path?: string } };
export type { GrepHit, GrepStats };
