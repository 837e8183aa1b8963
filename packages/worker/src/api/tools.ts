/** `tools`: the agent tools of `@cloudflare/fs-tools`, listed in a dialect, and called by name. */
import { z } from "zod";

export const toolsQuery = z.strictObject({ dialect: z.enum(["json", "anthropic", "openai", "mcp"]).optional() });
export const toolsAnswer = z.object({ dialect: z.string(), tools: z.array(z.unknown()) });
export type ToolsAnswer = z.infer<typeof toolsAnswer>;

/** The tool's own schema decides; see `GET tools`. */
export const toolBody = z.record(z.string(), z.unknown());
/** A tool that failed says so here, with status 200. */
export const toolAnswer = z.object({
  content: z.unknown(),
  structured: z.unknown().optional(),
  isError: z.boolean().optional(),
});
export type ToolAnswer = z.infer<typeof toolAnswer>;
