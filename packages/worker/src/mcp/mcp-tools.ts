/**
 * The agent's tools as MCP tools, from their one definition. A read-only token sees and calls only tools that change nothing.
 */
import type { ToolList, ToolPrincipal } from "../object/toolset-cache.ts";
import type { McpContext } from "./mcp-context.ts";

export function toolList(call: McpContext): Promise<ToolList> {
  return call.object.tools.list(toolPrincipal(call), "mcp");
}

/** Null: no such tool. */
export async function callTool(
  call: McpContext,
  name: string,
  input: Record<string, unknown>,
): Promise<Record<string, unknown> | null> {
  const result = await call.object.tools.call(toolPrincipal(call), name, input);
  if (result === null) return null;
  // Loaded by the call already.
  const { toMcpResult } = await import("@cloudflare/fs-tools");
  return toMcpResult(result);
}

function toolPrincipal({ principal, actor, previews, session }: McpContext): ToolPrincipal {
  const via = sessionActor(actor !== principal.actor, session?.id ?? null);
  return { actor, via, readOnly: principal.scope.readOnly, previews };
}

/**
 * Two clients of one token are distinct; otherwise one would overwrite the other's recent writes. A named client keeps its name and
 * its read state.
 */
function sessionActor(hasName: boolean, session: string | null): string {
  return hasName || session === null ? "mcp" : `mcp/${session.slice(0, 8)}`;
}
