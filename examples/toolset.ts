import { createToolset } from "@cloudflare/fs-tools";
import type { Workspace } from "@cloudflare/workspace";

/** A model's tool call, by name, from any provider. `handle` never throws: an error is a result with a code. */
export async function callTool(workspace: Workspace, name: string, input: unknown, callId: string): Promise<string> {
  const toolset = await createToolset({ workspace, actor: "model", deny: [".env", "*.pem"] });
  const { content, isError } = await toolset.handle(name, input, { callId });
  return isError ? `error: ${content}` : content;
}

/** What a provider is sent with the prompt. */
export async function describeTools(workspace: Workspace): Promise<{ tools: unknown[]; system: string }> {
  const toolset = await createToolset({ workspace, role: "explorer" });
  return { tools: toolset.schemas("anthropic"), system: toolset.systemPrompt() };
}
