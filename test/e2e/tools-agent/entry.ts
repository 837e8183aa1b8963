/** The Worker of the end-to-end test: examples/tools-agent.ts, driven by a model that plays a script of tool calls. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import { ToolsAgent } from "../../../examples/tools-agent.ts";

type Step = { tool: string; input: Record<string, unknown> } | { text: string };

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

function content(step: Step, i: number) {
  if ("text" in step) return { type: "text" as const, text: step.text };
  return {
    type: "tool-call" as const,
    toolCallId: `call-${i}`,
    toolName: step.tool,
    input: JSON.stringify(step.input),
  };
}

const finish = (step: Step) => {
  const unified = "text" in step ? ("stop" as const) : ("tool-calls" as const);
  return { unified, raw: unified };
};

function chunks(step: Step, i: number): LanguageModelV4StreamPart[] {
  const body: LanguageModelV4StreamPart[] =
    "text" in step
      ? [
          { type: "text-start", id: "t" },
          { type: "text-delta", id: "t", delta: step.text },
          { type: "text-end", id: "t" },
        ]
      : [content(step, i) as LanguageModelV4StreamPart];
  return [{ type: "stream-start", warnings: [] }, ...body, { type: "finish", usage, finishReason: finish(step) }];
}

export class ScriptedAgent extends ToolsAgent {
  /** The final text, and everything the tools answered, as the model saw it. */
  async play(steps: Step[], mode: "generate" | "stream") {
    let at = 0;
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        const step = steps[at++]!;
        return { content: [content(step, at)], finishReason: finish(step), usage, warnings: [] };
      },
      doStream: async () => {
        const step = steps[at++]!;
        return { stream: convertArrayToReadableStream(chunks(step, at)) };
      },
    });
    let text = "";
    if (mode === "generate") text = await this.work(model, "go");
    else for await (const part of this.follow(model, "go")) text += part;
    const calls = mode === "generate" ? model.doGenerateCalls : model.doStreamCalls;
    const results = calls
      .at(-1)!
      .prompt.filter(({ role }) => role === "tool")
      .flatMap((message) => message.content as { output?: { type: string; value?: unknown } }[])
      .map(({ output }) => output);
    return { text, results, tools: calls[0]!.tools?.map(({ name }) => name) };
  }
}

export default {
  async fetch(request: Request, env: { AGENT: DurableObjectNamespace<ScriptedAgent> }): Promise<Response> {
    const { name, steps, mode } = (await request.json()) as {
      name: string;
      steps: Step[];
      mode: "generate" | "stream";
    };
    const stub = env.AGENT.getByName(name) as unknown as { play(steps: Step[], mode: string): Promise<unknown> };
    return Response.json(await stub.play(steps, mode));
  },
};
