/** A call gets its own view of the workspace only if it uses one. */
import { expect, it, vi } from "vitest";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

it("callContext makes a view under the call's name only for a call that uses one", async () => {
  const kill = vi.fn(async () => {});
  const as = vi.fn((_identity: object): ToolWorkspace => workspace);
  const workspace = { fs: {}, shell: { get: async () => ({ kill }) }, as } as unknown as ToolWorkspace;
  const toolset = await createToolset({
    workspace,
    root: "/workspace",
    actor: "model",
    exposePort: async (port) => ({ url: `https://${port}.example` }),
    agents: { agentId: "a", runner: async () => ({ text: "done" }) },
  });
  for (const [name, input] of [
    ["browse", { port: 80 }],
    ["agent_spawn", { task: "t" }],
  ] as const)
    expect([name, (await toolset.handle(name, input)).isError]).toEqual([name, undefined]);
  // The toolset itself works under its actor: a view finds only the commands that its actor started.
  expect(as.mock.calls).toEqual([[{ actor: "model" }]]);
  expect((await toolset.handle("exec_kill", { id: "x" })).isError).toBeUndefined();
  await toolset.handle("write", { path: "a", content: "x" });
  expect(kill).toHaveBeenCalledTimes(1);
  expect(as.mock.calls.slice(1)).toEqual([[{ callId: expect.any(String) }], [{ callId: expect.any(String) }]]);
});
