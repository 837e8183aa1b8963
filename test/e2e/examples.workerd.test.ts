/** Runs the TypeScript of README and the guide: the documents show these files of examples/ (scripts/documents.mjs). */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace, type WorkspaceNamespace } from "@cloudflare/workspace";
import { expect, it, vi } from "vitest";
import type { Agent } from "../../examples/agent/agent.ts";
import agentWorker from "../../examples/agent/worker.ts";
import binding from "../../examples/binding/caller/worker.ts";
import host from "../../examples/binding/host/worker.ts";
import type { ServingAgent } from "../../examples/binding/own-object.ts";
import { editFiles } from "../../examples/files.ts";
import { commitChange, reviewChanges, withCredentials } from "../../examples/git.ts";
import { inspectAndUndo } from "../../examples/history.ts";
import { withLocalDaemon } from "../../examples/local-sandbox.ts";
import type { MaintainedAgent } from "../../examples/maintenance.ts";
import { schemas, structured, tools } from "../../examples/package-fs-tools.ts";
import type { NotesAgent } from "../../examples/package-workspace.ts";
import { search } from "../../examples/search.ts";
import shell from "../../examples/shell.ts";
import { callTool, describeTools } from "../../examples/toolset.ts";
import { DaemonFixture } from "../support/workerd/daemon-fixture.ts";

const { AGENT, MAINTAINED_AGENT, NOTES_AGENT, SERVING_AGENT } = env as unknown as {
  AGENT: DurableObjectNamespace<Agent>;
  MAINTAINED_AGENT: DurableObjectNamespace<MaintainedAgent>;
  NOTES_AGENT: DurableObjectNamespace<NotesAgent>;
  SERVING_AGENT: DurableObjectNamespace<ServingAgent>;
};
const WORKSPACE = env.WORKSPACE as unknown as WorkspaceNamespace;

function inStorage<T>(name: string, body: (storage: DurableObjectStorage) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(`example ${name}`), (_, { storage }) => body(storage));
}

function inWorkspace<T>(name: string, body: (workspace: Workspace) => Promise<T>): Promise<T> {
  return inStorage(name, (storage) => body(new Workspace({ storage })));
}

it("examples/agent/agent.ts writes notes in its own object, and loses no edit", async () => {
  const agent = AGENT.getByName("guide");
  expect(await agent.note("first")).toBe("- first\n");
  expect(await agent.note("second")).toBe("- first\n- second\n");
  await agent.replace("/workspace/notes/today.md", "first", "$& kept");
  expect(await agent.note("third")).toBe("- $& kept\n- second\n- third\n");
});

it("examples/agent/worker.ts writes each request into the workspace of its user", async () => {
  const ask = async (path: string) =>
    (await agentWorker.fetch(new Request(`http://example/${path}`), { AGENT })).text();
  expect([await ask("hello?user=a"), await ask("again?user=a"), await ask("hello?user=b")]).toEqual([
    "- hello\n",
    "- hello\n- again\n",
    "- hello\n",
  ]);
});

it("examples/agent/agent.ts commits its notes with git", async () => {
  const agent = AGENT.getByName("guide-git");
  await agent.note("a note");
  expect(await agent.commit("notes of the day")).toBe("Workspace: notes of the day\n");
});

it("examples/binding/caller/worker.ts writes and reads over the binding", async () => {
  const response = await binding.fetch(new Request("http://example"), { WORKSPACE });
  expect(await response.text()).toBe("hi");
});

it("examples/binding/host/worker.ts serves nothing itself", () => {
  expect(host.fetch().status).toBe(404);
});

it("examples/binding/own-object.ts serves its workspace to getWorkspace", async () => {
  using ws = getWorkspace(SERVING_AGENT as unknown as WorkspaceNamespace, "guide");
  await ws.fs.writeFile("/workspace/a.md", "from outside");
  const stub = SERVING_AGENT.getByName("guide");
  expect(await runInDurableObject(stub, ({ workspace }) => workspace.fs.readFile("/workspace/a.md", "utf8"))).toBe(
    "from outside",
  );
});

it("examples/maintenance.ts sets its alarm to the next step of maintenance", async () => {
  const stub = MAINTAINED_AGENT.getByName("guide");
  await stub.write("/workspace/a.txt", "a".repeat(100_000));
  await stub.write("/workspace/a.txt", "b");
  await runInDurableObject(stub, async (agent, { storage }) => {
    const dueMs = agent.workspace.nextDueMs() as number;
    expect(await storage.getAlarm()).toBeGreaterThanOrEqual(Math.floor(dueMs));
    await storage.deleteAlarm();
    await agent.alarm();
    expect(await storage.getAlarm()).not.toBeNull();
  });
});

it("examples/files.ts guards a write, reads a part and lists changes", async () => {
  expect(await inWorkspace("files", editFiles)).toEqual(["ESTALE", "3", "write /workspace/src/a.ts"]);
});

it("examples/search.ts finds text and names, and skips ignored files", async () => {
  expect(await inWorkspace("search", search)).toEqual([
    "/workspace/src/a.ts:1: // TODO: name this",
    "2 exports, truncated: false",
    "src/a.ts",
    "src/b.ts",
  ]);
});

it("examples/git.ts commits with typed methods and shows the commit with the command line", async () => {
  expect(await inWorkspace("git", commitChange)).toBe(
    "main true 0\nAdd a README\n\n README.md | 1 +\n 1 file changed, 1 insertion(+)\n",
  );
});

it("examples/git.ts reviews changes without text to parse", async () => {
  const said = await inWorkspace("git-review", async (workspace) => {
    await commitChange(workspace);
    await workspace.fs.writeFile("/workspace/project/README.md", "# Project\nMore\n");
    await workspace.git.add({ cwd: "/workspace/project", all: true });
    return reviewChanges(workspace, "/workspace/project");
  });
  expect(said).toEqual([expect.stringMatching(/^1 staged since [0-9a-f]{7} Add a README$/), "M README.md +1 -0"]);
});

it("examples/git.ts sends credentials to the origin they are for, and stores them nowhere", async () => {
  const header = `Basic ${btoa("x-access-token:s3cret")}`;
  const network = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (request.headers.get("Authorization") === header) return env.GIT_SERVER.fetch(request);
    return new Response(null, { status: 401, headers: { "WWW-Authenticate": "Basic" } });
  });
  try {
    await inStorage("credentials", async (storage) => {
      const { fs, git } = withCredentials(storage, { "https://git.example": "s3cret" });
      const clone = (origin: string, directory: string) =>
        git.cli({ argv: ["clone", "-q", `${origin}/large.git`, directory], cwd: "/workspace" });
      expect((await clone("https://git.example", "copy")).exitCode).toBe(0);
      expect(await fs.readFile("/workspace/copy/README.md", "utf8")).toBe("# large\n");
      const { hits } = await fs.grep("s3cret", "/workspace", { hidden: true, ignore: false, binary: true });
      expect(hits).toEqual([]);
      expect((await clone("https://other.example", "none")).exitCode).toBe(128);
    });
  } finally {
    network.mockRestore();
  }
});

it("examples/shell.ts runs commands, follows one and finds it again", async () => {
  const response = await shell.fetch(new Request("http://example"), { WORKSPACE });
  expect(await response.text()).toBe("it's the first one\n1\nstep 1\nstep 2\nstep 3\nexited with 0 on the worker\n");
});

it("examples/local-sandbox.ts runs commands in a daemon on this machine", async () => {
  await using daemon = await DaemonFixture.start({ secret: true });
  await inStorage("daemon", async (storage) => {
    const { fs, shell: commands } = withLocalDaemon(storage, `http://${daemon.address}`, daemon.secret as string);
    await fs.writeFile("/workspace/a.txt", "here\n");
    const { stdout, ranOn } = await (
      await commands.exec("tr a-z A-Z < a.txt > b.txt && cat b.txt", { encoding: "utf8" })
    ).result();
    expect([stdout, ranOn, await fs.readFile("/workspace/b.txt", "utf8")]).toEqual(["HERE\n", "container", "HERE\n"]);
  });
});

it("examples/history.ts inspects a call and undoes it", async () => {
  expect(await inStorage("history", inspectAndUndo)).toEqual(["2 changes", "renamed /workspace/b.ts", "one\n", "a.ts"]);
});

it("examples/toolset.ts runs a tool call, and answers an error instead of throwing", async () => {
  await inWorkspace("toolset", async (workspace) => {
    await callTool(workspace, "write", { path: "a.md", content: "hello\n" }, "call-1");
    expect(JSON.parse(await callTool(workspace, "read", { path: "a.md" }, "call-2"))).toMatchObject({
      content: "hello\n",
    });
    expect(await callTool(workspace, "read", { path: ".env" }, "call-3")).toMatch(/^error: /);
    const { tools, system } = await describeTools(workspace);
    const names = tools.map((tool) => (tool as { name: string }).name);
    expect(names).toContain("grep");
    expect(names).not.toContain("write");
    expect(system).not.toBe("");
    await workspace.history.undo({ callId: "call-1" });
    expect(await workspace.fs.exists("/workspace/a.md")).toBe(false);
  });
});

it("examples/package-workspace.ts appends notes", async () => {
  const agent = NOTES_AGENT.getByName("package");
  await agent.note("one");
  expect(await agent.note("two")).toBe("- one\n- two\n");
});

it("examples/package-fs-tools.ts writes, reads and describes its tools", () => {
  expect(structured).toMatchObject({ content: "hello\n" });
  expect(schemas.map(({ name }) => name)).toContain("edit");
  expect(Object.keys(tools)).toContain("edit");
});
