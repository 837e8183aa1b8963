/** The tools' state in the object's tables: reads, proposals, spawned agents, messages. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { InMemoryFileStore } from "../store/in-memory-file-store.ts";
import type { AgentOutcome, AgentTask } from "../toolset/agent-runner.ts";
import { createToolset } from "../toolset/create-toolset.ts";

describe("agents", () => {
  it("spawns within depth and quota; what the sub-agent writes joins the parent's", () =>
    inWorkspace(
      async ({ fs, call, more, refused }) => {
        const done = await call("agent_spawn", { task: "do it", role: "explorer" });
        expect(done).toMatchObject({
          response: "explorer did: do it at 1",
          depth: 1,
          writes: ["/workspace/from-sub.txt"],
        });
        expect(await fs.readFile("/workspace/from-sub.txt", "utf8")).toBe("sub");
        expect(await refused("agent_spawn", { task: "x", role: "boss" })).toBe("INVALID_INPUT");
        await call("agent_spawn", { message: "again" });
        expect(await refused("agent_spawn", { task: "third" })).toBe("QUOTA");
        const deep = await more({ agents: { runner: async () => ({ text: "" }), agentId: "deep", depth: 5 } });
        expect(codeOf(await deep.handle("agent_spawn", { task: "x" }))).toBe("QUOTA");
      },
      {
        limits: { agentsPerParent: 2 },
        agents: {
          agentId: "top",
          runner: async ({ role, task, depth }) => ({
            text: `${role} did: ${task} at ${depth}`,
            writes: [{ path: "from-sub.txt", content: "sub" }],
          }),
        },
      },
    ));

  it("sends within size, queue and rate, under the host's word for who sends", () =>
    inWorkspace(
      async ({ call, refused, more, toolset }) => {
        const runner = async () => ({ text: "" });
        for (let i = 0; i < 9; i++) await call("agent_send", { targetAgentId: "b", message: `m${i}` });
        const other = await more({ agents: { runner, agentId: "b" } });
        unwrap(
          await other.handle("tool::agent_send", { agentId: "another actor", targetAgentId: "a", message: "back" }),
        );
        // The tenth message of the pair is accepted; the eleventh, either way, is not.
        expect(await refused("agent_send", { targetAgentId: "b", message: "more" })).toBe("QUOTA");
        expect(codeOf(await other.handle("agent_send", { targetAgentId: "a", message: "more" }))).toBe("QUOTA");
        expect(await toolset.inbox()).toMatchObject([{ from: "b", to: "a", text: "back" }]);
        expect((await other.inbox()).length).toBe(9);
        expect(await other.inbox()).toEqual([]);
        expect(await call("agent_send", { targetAgentId: "c", message: "x".repeat(100_000) })).toEqual({
          sent: true,
          targetAgentId: "c",
          callId: expect.any(String),
        });
        expect(await refused("agent_send", { targetAgentId: "c", message: "x".repeat(100_001) })).toBe("TOO_LARGE");
      },
      { agents: { runner: async () => ({ text: "" }), agentId: "a" } },
    ));

  it("limits what one agent sends to all others together, in the workspace and in memory", () =>
    inWorkspace(
      async ({ toolset }) => {
        const agents = { runner: async () => ({ text: "" }), agentId: "a" };
        const inMemory = await createToolset({ store: new InMemoryFileStore(), agents });
        for (const sender of [toolset, inMemory]) {
          const codes: string[] = [];
          for (let i = 0; i < 62; i++) {
            const result = await sender.handle("agent_send", { targetAgentId: `r${i}`, message: "x" });
            codes.push(result.isError ? codeOf(result) : "sent");
          }
          expect(codes).toEqual([...new Array(60).fill("sent"), "QUOTA", "QUOTA"]);
        }
      },
      { agents: { runner: async () => ({ text: "" }), agentId: "a" } },
    ));

  it("20 sub-agents and 5 levels are what a parent has, counted in the object and not in the toolset", () =>
    inWorkspace(async ({ more }) => {
      const ran: AgentTask[] = [];
      const agents = (agentId: string, depth: number) => ({
        agents: { agentId, depth, runner: async (task: AgentTask) => ({ text: String(ran.push(task)) }) },
      });
      for (let i = 1; i <= 20; i++) {
        // A new toolset each time, as in another request.
        const toolset = await more(agents("parent", 0));
        expect(unwrap(await toolset.handle("agent_spawn", { task: `${i}` }))).toMatchObject({
          response: `${i}`,
          depth: 1,
        });
      }
      const refusal = await (await more(agents("parent", 0))).handle("agent_spawn", { task: "21" });
      expect(refusal.content).toBe("QUOTA: You have started 20 sub-agents already. Do the task yourself.");
      expect(unwrap(await (await more(agents("other", 4))).handle("agent_spawn", { task: "x" })).depth).toBe(5);
      const deep = await (await more(agents("deep", 5))).handle("agent_spawn", { task: "x" });
      expect(deep.content).toBe("QUOTA: Sub-agents may be 5 deep; this one is at 5. Do the task yourself.");
      expect(ran).toHaveLength(21);
      expect(ran[0]).toEqual({ agentId: ran[0]!.agentId, parentId: "parent", task: "1", role: "coder", depth: 1 });
      expect(new Set(ran.map(({ agentId }) => agentId)).size).toBe(21);
    }));

  it("a sub-agent that fails, or is stopped, changes nothing, and its writes are queued where the parent's are", () =>
    inWorkspace(
      async ({ fs, more, toolset }) => {
        const outcome = (result: AgentOutcome) => ({ agents: { agentId: "p", runner: async () => result } });
        const writes = [
          { path: "a", content: "new" },
          { path: "b", content: "", delete: true },
          { path: "gone", content: "", delete: true },
        ];
        const failing = await more(outcome({ text: "half", error: "no model", writes }));
        expect((await failing.handle("agent_spawn", { task: "x" })).structured.error).toMatchObject({
          code: "CALL_FAILED",
          message: "The sub-agent failed: no model",
          response: "half",
        });
        expect(await fs.readFile("/workspace/a", "utf8")).toBe("old");
        const proposing = await more({ ...outcome({ text: "done", writes }), mode: "propose", actor: "proposer" });
        unwrap(await proposing.handle("agent_spawn", { task: "x", template: "t", modelId: "m" }));
        expect((await proposing.proposals.list()).map(({ path }) => path)).toEqual(["/workspace/a", "/workspace/b"]);
        expect(await fs.readFile("/workspace/a", "utf8")).toBe("old");
        const outside = await more(outcome({ text: "", writes: [{ path: "../x", content: "" }] }));
        expect(codeOf(await outside.handle("agent_spawn", { task: "x" }))).toBe("OUTSIDE_ROOT");
        expect(codeOf(await toolset.handle("agent_spawn", { task: "x" }))).toBe("UNKNOWN_TOOL");
      },
      {},
      { a: "old", b: "old" },
    ));

  it("ten messages a minute pass between two agents, and a minute later ten more", () =>
    inWorkspace(async ({ more }) => {
      let clock = 1_000_000;
      const a = await more({ now: () => clock, agents: { agentId: "a", runner: async () => ({ text: "" }) } });
      const send = async () => (await a.handle("agent_send", { targetAgentId: "b", message: "x" })).isError ?? false;
      for (let i = 0; i < 10; i++) expect(await send()).toBe(false);
      expect(await send()).toBe(true);
      clock += 59_999;
      expect(await send()).toBe(true);
      clock += 1;
      expect(await send()).toBe(false);
    }));
});

it("what the tools remember lives in the object, inside and over the binding", async () => {
  const stub = env.WORKSPACE.getByName("tool state");
  using client = getWorkspace(stub);
  const remote = await createToolset({ workspace: client, actor: "r" });
  unwrap(await remote.handle("write", { path: "a.txt", content: "one\n" }));
  unwrap(await remote.handle("read", { path: "a.txt" }));
  await client.fs.writeFile("/workspace/a.txt", "two\n");
  // A toolset of another request: the guard is durable.
  const later = await createToolset({ workspace: getWorkspace(stub), actor: "r" });
  expect(codeOf(await later.handle("write", { path: "a.txt", content: "three\n" }))).toBe("STALE");
  await later.saveDisabled(["delete"]);
  expect((await createToolset({ workspace: client })).names).not.toContain("delete");
  expect((await later.audit({ limit: 2 })).map(({ tool, outcome, code }) => [tool, outcome, code])).toEqual([
    ["write", "failure", "STALE"],
    ["read", "success", ""],
  ]);
  await later.saveDisabled([]);
  const proposing = await createToolset({ workspace: client, mode: "propose", actor: "p" });
  unwrap(await proposing.handle("write", { path: "big.txt", content: "x".repeat(2 * 1024 * 1024) }));
  expect((await proposing.proposals.list())[0]!.content?.length).toBe(2 * 1024 * 1024);
  await runInDurableObject(stub, async (_object, { storage }) => {
    const workspace = new Workspace({ storage });
    expect((await workspace[internals].toolState.proposals("p")).length).toBe(1);
    expect(storage.sql.exec("SELECT count(*) AS n FROM ws_meta WHERE key = 'tools.disabled'").one().n).toBe(0);
  });
});
