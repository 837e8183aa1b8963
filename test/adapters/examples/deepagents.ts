import type { Workspace } from "@cloudflare/workspace";
import { asDeepAgentsBackend } from "@cloudflare/workspace/adapters/deepagents";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { createDeepAgent } from "deepagents/browser";

export async function ask(workspace: Pick<Workspace, "fs" | "shell">, model: BaseChatModel, question: string) {
  const agent = createDeepAgent({ model, backend: asDeepAgentsBackend(workspace) });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] });
  return messages.at(-1)?.text;
}
