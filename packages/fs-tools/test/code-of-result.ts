import type { ToolResult } from "../src/definition/tool-result.ts";

/** The code of a failed call; a successful call fails the test. */
export function codeOfResult(result: ToolResult): string {
  if (!result.isError) throw new Error(`the call succeeded: ${result.content}`);
  return (result.structured.error as { code: string }).code;
}
