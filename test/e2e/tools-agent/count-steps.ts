/** How many steps the AI SDK makes with a toolset's settings, when the model wants 31, and which seed arrives at the model. */
import { createToolset, InMemoryFileStore } from "@cloudflare/fs-tools";
import { generateText, streamText } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";

export interface StepCount {
  readonly steps: number;
  readonly seed: number | undefined;
}

export async function countSteps(settings: {
  maxSteps?: number;
  seed: number;
}): Promise<{ generate: StepCount; stream: StepCount }> {
  const store = new InMemoryFileStore({ "/a.txt": "1\n2\n3\n" });
  const toolset = await createToolset({ store, ...settings });
  const options = { prompt: "go", tools: toolset.tools(), ...toolset.settings() };
  const model = reader(30);
  const { steps } = await generateText({ model, ...options });
  const streaming = reader(30);
  const streamed = await streamText({ model: streaming, ...options }).steps;
  return {
    generate: { steps: steps.length, seed: model.doGenerateCalls[0]?.seed },
    stream: { steps: streamed.length, seed: streaming.doStreamCalls[0]?.seed },
  };
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that reads for so many steps, then says that it is done. */
function reader(steps: number) {
  let step = 0;
  const next = () => {
    const done = step++ >= steps;
    const content = done
      ? { type: "text" as const, text: "done" }
      : { type: "tool-call" as const, toolCallId: `c${step}`, toolName: "read", input: '{"path":"/a.txt"}' };
    return { content, reason: done ? ("stop" as const) : ("tool-calls" as const) };
  };
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const { content, reason } = next();
      return { content: [content], finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
    },
    doStream: async () => {
      const { content, reason } = next();
      const body =
        content.type === "text"
          ? [
              { type: "text-start" as const, id: "t" },
              { type: "text-delta" as const, id: "t", delta: content.text },
              { type: "text-end" as const, id: "t" },
            ]
          : [content];
      const finish = { type: "finish" as const, usage, finishReason: { unified: reason, raw: reason } };
      return { stream: convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, ...body, finish]) };
    },
  });
}
