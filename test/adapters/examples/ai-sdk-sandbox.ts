import type { Workspace } from "@cloudflare/workspace";
import { asSandboxSession } from "@cloudflare/workspace/adapters/ai-sdk-sandbox";
import { generateText, type LanguageModel, stepCountIs, tool } from "ai";
import { z } from "zod";

const run = tool({
  description: "Run a shell command",
  inputSchema: z.object({ command: z.string() }),
  execute: ({ command }, { experimental_sandbox: sandbox }) => sandbox!.run({ command }),
});

export async function work(workspace: Pick<Workspace, "fs" | "shell">, model: LanguageModel, prompt: string) {
  const sandbox = asSandboxSession(workspace);
  const { text } = await generateText({
    model,
    prompt,
    system: sandbox.description,
    tools: { run },
    stopWhen: stepCountIs(10),
    experimental_sandbox: sandbox,
  });
  return text;
}
