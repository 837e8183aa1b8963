/**
 * `git`: an argv and git's response. With `Accept: application/x-ndjson` the response is a stream of `GitEvent`s that ends with
 * `end`.
 */
import { z } from "zod";
import { pathText } from "./path.ts";

export const gitBody = z.strictObject({
  /** Without the word "git". */
  argv: z.array(z.string().max(200_000)).min(1).max(10_000),
  cwd: pathText.optional(),
  env: z.record(z.string().max(256), z.string().max(32_768)).optional(),
  stdin: z.string().optional(),
});
export type GitBody = z.infer<typeof gitBody>;

/** Text, or `{ base64 }` for a stream that is not UTF-8. */
export const outputText = z.union([z.string(), z.object({ base64: z.string() })]);
export type OutputText = z.infer<typeof outputText>;

export const gitResponse = z.object({ exitCode: z.number(), stdout: outputText, stderr: outputText });
export type GitResponse = z.infer<typeof gitResponse>;

export type GitEvent =
  | { type: "stdout" | "stderr"; value: OutputText }
  | { type: "end"; exitCode: number }
  | { type: "error"; error: { code: string; message: string; hint: string; path?: string } };
