/** A language model of the AI SDK that plays a script, one step a call: a call of a tool, or a final text. */
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";

export type ScriptStep = { tool: string; input: unknown } | { text: string };
type Stream = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type Part = Stream extends ReadableStream<infer P> ? P : never;

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export function scriptedModel(steps: readonly ScriptStep[]): MockLanguageModelV4 {
  let at = 0;
  const next = (): { step: ScriptStep; id: string } => {
    const step = steps[at++];
    if (step === undefined) throw new Error("the script has ended");
    return { step, id: `call-${at}` };
  };
  const finishReason = (step: ScriptStep) =>
    ({ unified: "tool" in step ? "tool-calls" : "stop", raw: undefined }) as const;
  const toolCall = (step: { tool: string; input: unknown }, id: string) =>
    ({ type: "tool-call", toolCallId: id, toolName: step.tool, input: JSON.stringify(step.input) }) as const;
  return new MockLanguageModelV4({
    async doGenerate() {
      const { step, id } = next();
      const content = "tool" in step ? toolCall(step, id) : ({ type: "text", text: step.text } as const);
      return { content: [content], finishReason: finishReason(step), usage, warnings: [] };
    },
    async doStream() {
      const { step, id } = next();
      const parts: Part[] =
        "tool" in step
          ? [toolCall(step, id)]
          : [
              { type: "text-start", id },
              { type: "text-delta", id, delta: step.text },
              { type: "text-end", id },
            ];
      const chunks: Part[] = [
        { type: "stream-start", warnings: [] },
        ...parts,
        { type: "finish", finishReason: finishReason(step), usage },
      ];
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}
