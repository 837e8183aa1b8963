/** `tools`: lists the agent tools of `@cloudflare/fs-tools` in a dialect, and calls them by name. */
import { z } from "zod";

export const toolsQuery = z.strictObject({ dialect: z.enum(["json", "anthropic", "openai", "mcp"]).optional() });
export const toolsResponse = z.object({ dialect: z.string(), tools: z.array(z.unknown()) });
export type ToolsResponse = z.infer<typeof toolsResponse>;

/** The tool's own schema validates it; see `GET tools`. */
export const toolBody = z.record(z.string(), z.unknown());
/** A failed tool is reported here, with status 200. */
export const toolResponse = z.object({
  /** For the model. */
  content: z.string(),
  structured: z.record(z.string(), z.unknown()),
  isError: z.boolean().optional(),
  /** Images and documents, in base64. */
  files: z.array(z.object({ mediaType: z.string(), filename: z.string(), data: z.string() })).optional(),
});
export type ToolResponse = z.infer<typeof toolResponse>;
