/** README's TypeScript, run: the examples are the very files that README shows (scripts/documents.mjs). */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { WorkspaceNamespace } from "@cloudflare/workspace";
import { expect, it } from "vitest";
import type { Agent } from "../../examples/agent.ts";
import agentWorker from "../../examples/agent-worker.ts";
import binding from "../../examples/binding.ts";
import { tryAndTakeBack } from "../../examples/history.ts";
import shell from "../../examples/shell.ts";

const agents = (env as unknown as { AGENT: DurableObjectNamespace<Agent> }).AGENT;

it("examples/agent.ts keeps notes in its own object, and loses no edit", async () => {
  const agent = agents.getByName("readme");
  expect(await agent.note("first")).toBe("- first\n");
  expect(await agent.note("second")).toBe("- first\n- second\n");
  await agent.replace("/workspace/notes/today.md", "first", "$& kept");
  expect(await agent.note("third")).toBe("- $& kept\n- second\n- third\n");
});

it("examples/agent-worker.ts notes each request in its caller's own workspace", async () => {
  const ask = async (path: string) =>
    (await agentWorker.fetch(new Request(`http://example/${path}`), { AGENT: agents })).text();
  expect([await ask("hello?user=a"), await ask("again?user=a"), await ask("hello?user=b")]).toEqual([
    "- hello\n",
    "- hello\n- again\n",
    "- hello\n",
  ]);
});

it("examples/agent.ts commits its notes with git", async () => {
  const agent = agents.getByName("readme-git");
  await agent.note("kept for good");
  expect(await agent.commit("notes of the day")).toBe("Workspace: notes of the day\n");
});

it("examples/binding.ts writes and reads over the binding", async () => {
  const workspace = (env as unknown as { WORKSPACE: WorkspaceNamespace }).WORKSPACE;
  const response = await binding.fetch(new Request("http://example"), { WORKSPACE: workspace });
  expect(await response.text()).toBe("hi");
});

it("examples/shell.ts runs commands, follows one and finds it again", async () => {
  const workspace = (env as unknown as { WORKSPACE: WorkspaceNamespace }).WORKSPACE;
  const response = await shell.fetch(new Request("http://example"), { WORKSPACE: workspace });
  expect(await response.text()).toBe("it's the first one\n1\nstep 1\nstep 2\nstep 3\nexited with 0 on the worker\n");
});

it("examples/history.ts looks at what a call did, and takes it back", async () => {
  const stub = agents.getByName("readme-history");
  expect(await runInDurableObject(stub, (_, { storage }) => tryAndTakeBack(storage))).toEqual([
    "2 changes",
    "renamed /workspace/b.ts",
    "one\n",
    "a.ts",
  ]);
});
