/** A call gets its own view of the workspace only if its tool changes files. */
import { expect, it, vi } from "vitest";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

it("a call that needs no view of its own makes none, and finds a command under the name it was started with", async () => {
  const kill = vi.fn(async () => {});
  const get = vi.fn(async () => ({ kill }));
  const as = vi.fn(() => ({ ...workspace, shell: { get: () => Promise.reject(new Error("another's")) } }));
  const workspace = { fs: {}, shell: { get }, as } as unknown as ToolWorkspace;
  const toolset = await createToolset({
    workspace,
    root: "/workspace",
    exposePort: async (port) => ({ url: `https://${port}.example` }),
    agents: { agentId: "a", runner: async () => ({ text: "done" }) },
  });
  for (const [name, input] of [
    ["exec_kill", { id: "x" }],
    ["browse", { port: 80 }],
    ["agent_spawn", { task: "t" }],
  ] as const)
    expect([name, (await toolset.handle(name, input)).isError]).toEqual([name, undefined]);
  expect([kill.mock.calls.length, as.mock.calls.length]).toEqual([1, 0]);
  await toolset.handle("write", { path: "a", content: "x" });
  expect(as).toHaveBeenCalledTimes(1);
});
