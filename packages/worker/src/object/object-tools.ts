/**
 * The agent's tools beside the data: a tool asks the file system many small questions, and here each is a call and not a round trip.
 * The Worker says who calls and what they may do; the answer is plain data. Loaded when it is used: the tools with their schemas are
 * the heaviest part of the script.
 */
import type { Dialect, ToolResult, Toolset } from "@cloudflare/fs-tools";
import type { Workspace } from "@cloudflare/workspace";
import type { Env } from "../env.ts";
import { type PreviewPlace, previewUrl } from "../preview-address/preview-url.ts";

export interface ToolCaller {
  /** Of the visitor; what the tools change is logged as `<actor>/<via>`. */
  actor: string;
  via: string;
  /** Only tools that change nothing. */
  readOnly: boolean;
  /** Where the caller would see a port; null: nowhere, and there is no `browse`. */
  previews?: PreviewPlace | null;
}

export interface ToolPlace {
  workspace: Workspace;
  /** Of the workspace. */
  name: string;
  env: Env;
}

export interface ToolList {
  /** In the dialect that was asked for. */
  tools: Record<string, unknown>[];
  /** What a model should know before it uses them. */
  instructions: string;
}

export async function listTools(place: ToolPlace, caller: ToolCaller, dialect: Dialect): Promise<ToolList> {
  const toolset = await toolsetFor(place, caller);
  return { tools: toolset.schemas(dialect), instructions: toolset.systemPrompt() };
}

/** Null: there is no such tool for this caller, by this name or by one that other families use for it. */
export async function callTool(
  place: ToolPlace,
  caller: ToolCaller,
  name: string,
  input: Record<string, unknown>,
  callId?: string,
): Promise<ToolResult | null> {
  const toolset = await toolsetFor(place, caller);
  return toolset.has(name) ? toolset.handle(name, input, callId === undefined ? {} : { callId }) : null;
}

/** WORKSPACE_DENY: globs of what no tool may see, separated by white space. */
export function deniedGlobs({ WORKSPACE_DENY = "" }: Pick<Env, "WORKSPACE_DENY">): string[] {
  return WORKSPACE_DENY.split(/\s+/).filter((glob) => glob !== "");
}

async function toolsetFor({ workspace, name, env }: ToolPlace, caller: ToolCaller): Promise<Toolset> {
  const { createToolset } = await import("@cloudflare/fs-tools");
  const { actor, via, readOnly, previews = null } = caller;
  const { container } = workspace;
  const exposePort = async (port: number) => {
    await container?.exposePort(port);
    return { url: await previewUrl(env, name, port, previews as PreviewPlace) };
  };
  return createToolset({
    workspace: workspace.as({ actor }),
    actor: via,
    role: readOnly ? "explorer" : "coder",
    deny: deniedGlobs(env),
    ...(container === null || previews === null ? {} : { exposePort }),
  });
}
