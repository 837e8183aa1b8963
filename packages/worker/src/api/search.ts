/** `search/glob` responds at once; `search/grep` is NDJSON, one line per hit as it is found and a final `end` or `error`. */
import type { GrepHit, GrepStats } from "@workspace/protocol";
import { z } from "zod";
import { countText, pathText } from "./path.ts";

export const globQuery = z.strictObject({
  pattern: z.string().min(1).max(4096),
  cwd: pathText.optional(),
  limit: countText(10_000).optional(),
  /** Skip files ignored by .gitignore and similar files; default 0. */
  ignore: z.enum(["0", "1"]).optional(),
  /** Include directories; default 1. */
  dirs: z.enum(["0", "1"]).optional(),
});
/** Relative to `cwd`, as in Node's `glob`. */
export const globResponse = z.object({ paths: z.array(z.string()), truncated: z.boolean() });
export type GlobResponse = z.infer<typeof globResponse>;

const globs = z.union([z.string().max(4096), z.array(z.string().max(4096)).max(100)]);
const count = (max: number) => z.int().min(0).max(max);

/** The options of `fs.grep`, under the same names. */
export const grepBody = z.strictObject({
  pattern: z.union([z.string().max(100_000), z.array(z.string().max(100_000)).min(1).max(100)]),
  path: pathText.optional(),
  regex: z.boolean().optional(),
  ignoreCase: z.boolean().optional(),
  smartCase: z.boolean().optional(),
  word: z.boolean().optional(),
  line: z.boolean().optional(),
  invert: z.boolean().optional(),
  multiline: z.boolean().optional(),
  dotAll: z.boolean().optional(),
  include: globs.optional(),
  exclude: globs.optional(),
  types: globs.optional(),
  hidden: z.boolean().optional(),
  ignore: z.boolean().optional(),
  binary: z.boolean().optional(),
  context: count(1000).optional(),
  before: count(1000).optional(),
  after: count(1000).optional(),
  /** Default 1000. */
  maxHits: count(100_000).optional(),
  maxPerFile: count(100_000).optional(),
  maxDepth: count(1000).optional(),
  maxFileBytes: count(1024 * 1024 * 1024).optional(),
  maxBytesPerLine: count(100_000).optional(),
  /** From an earlier `end`. */
  cursor: z.string().max(20_000).optional(),
});
export type GrepBody = z.infer<typeof grepBody>;

export type GrepEvent =
  | ({ type: "hit" } & GrepHit)
  | { type: "end"; truncated: boolean; truncatedBy: string | null; engine: string; stats: GrepStats; cursor?: string }
  | { type: "error"; error: { code: string; message: string; hint: string; path?: string } };
export type { GrepHit, GrepStats };
