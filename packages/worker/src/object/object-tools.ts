/**
 * The agent's tools beside the data: a tool asks the file system many small questions, and here each is a call and not a round trip.
 * The Worker says who calls and what they may do; the answer is plain data. Loaded when it is used: the tools with their schemas are
 * the heaviest part of the script.
 */
import type { ToolResult } from "@cloudflare/fs-tools";
import type { Workspace } from "@cloudflare/workspace";

export interface ToolCaller {
  /** Of the visitor; what the tools change is logged as `<actor>/<via>`. */
  actor: string;
  via: string;
  /** Only tools that change nothing. */
  readOnly: boolean;
}

export interface ToolList {
  /** In MCP's dialect. */
  tools: Record<string, unknown>[];
  /** What a model should know before it uses them. */
  instructions: string;
}

export async function listTools(workspace: Workspace, caller: ToolCaller): Promise<ToolList> {
  const toolset = await toolsetFor(workspace, caller);
  return { tools: toolset.schemas("mcp"), instructions: toolset.systemPrompt() };
}

/** Null: there is no such tool for this caller. */
export async function callTool(
  workspace: Workspace,
  caller: ToolCaller,
  name: string,
  input: Record<string, unknown>,
): Promise<ToolResult | null> {
  const toolset = await toolsetFor(workspace, caller);
  return toolset.names.includes(name) ? toolset.handle(name, input) : null;
}

async function toolsetFor(workspace: Workspace, { actor, via, readOnly }: ToolCaller) {
  const { createToolset } = await import("@cloudflare/fs-tools");
  const role = readOnly ? "explorer" : "coder";
  return createToolset({ workspace: workspace.as({ actor }), actor: via, role });
}
