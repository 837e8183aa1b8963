/** The smallest harness there is: it runs each prompt as a command in its sandbox. `HarnessAgent` around it is the real one. */
import type { HarnessV1, HarnessV1ResumeSessionState } from "@ai-sdk/harness";

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
const usage = { inputTokens: tokens, outputTokens: tokens };

export function commandHarness(): HarnessV1<Record<string, never>> {
  return {
    specificationVersion: "harness-v1",
    harnessId: "command",
    builtinTools: {},
    async doStart({ sessionId, sandboxSession, sessionWorkDir, resumeFrom }) {
      const ended = async (): Promise<HarnessV1ResumeSessionState> => ({
        type: "resume-session",
        harnessId: "command",
        specificationVersion: "harness-v1",
        data: {},
      });
      const unsupported = async (): Promise<never> => {
        throw new Error("not supported");
      };
      return {
        sessionId,
        isResume: resumeFrom !== undefined,
        async doPromptTurn({ prompt, emit }) {
          const command = typeof prompt === "string" ? prompt : String(prompt.content);
          const run = async () => {
            const { stdout } = await sandboxSession.run({ command, workingDirectory: sessionWorkDir });
            emit({ type: "stream-start" });
            emit({ type: "text-start", id: "output" });
            emit({ type: "text-delta", id: "output", delta: stdout });
            emit({ type: "text-end", id: "output" });
            emit({ type: "finish-step", finishReason: { unified: "stop", raw: undefined }, usage });
            emit({ type: "finish", finishReason: { unified: "stop", raw: undefined }, totalUsage: usage });
          };
          return { submitToolResult: unsupported, done: run() };
        },
        doCompact: unsupported,
        doContinueTurn: unsupported,
        doSuspendTurn: unsupported,
        doDetach: ended,
        doStop: ended,
        doDestroy: async () => {},
      };
    },
  };
}
