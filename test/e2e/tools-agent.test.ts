/** The AI SDK family's wiring example in workerd: an agent with `tools()`, several steps of generateText and of streamText, a mock model. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installProject } from "../../scripts/setup.mjs";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/root.ts";

/** It has the AI SDK and the Agents SDK, which nothing else needs. */
const project = join(import.meta.dirname, "tools-agent");

/** A dependency of the agents package requires Node's modules by their bare names, as wrangler allows. */
const nodeModules: Plugin = {
  name: "node modules",
  setup({ onResolve, onLoad }) {
    // Mail is the platform's: the bare runtime has none, and this agent sends none.
    onResolve({ filter: /^cloudflare:email$/ }, ({ path }) => ({ path, namespace: "mail" }));
    onLoad({ filter: /.*/, namespace: "mail" }, () => ({ contents: "export class EmailMessage {}" }));
    onResolve({ filter: /^path$/ }, ({ path }) => ({ path, namespace: "node" }));
    onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({
      contents: `export * from "node:${path}"; export { default } from "node:${path}";`,
    }));
  },
};

const config = (port: number, disk: string) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "disk", disk = (path = "${disk}", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [(className = "ScriptedAgent", uniqueKey = "agent", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [(name = "AGENT", durableObjectNamespace = "ScriptedAgent")],
);
`;

const folder = mkdtempSync(join(tmpdir(), "tools-agent-"));
let port = 0;
let workerd: ChildProcess | undefined;

beforeAll(async () => {
  installProject(project);
  const { outputFiles } = await build({
    entryPoints: [join(project, "entry.ts")],
    nodePaths: [join(project, "node_modules")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    plugins: [nodeModules],
    logLevel: "silent",
  });
  port = await freePort();
  writeFileSync(join(folder, "worker.js"), outputFiles[0]!.text);
  writeFileSync(join(folder, "config.capnp"), config(port, folder));
  workerd = spawn(join(root, "node_modules/.bin/workerd"), ["serve", join(folder, "config.capnp")], {
    stdio: "inherit",
  });
}, 120_000);

afterAll(() => {
  workerd?.kill();
  rmSync(folder, { recursive: true });
});

interface Output {
  type: string;
  value: Record<string, unknown>;
}

async function play(
  name: string,
  mode: string,
  steps: unknown[],
): Promise<{ text: string; results: Output[]; tools: string[] }> {
  const response = await answer({ method: "POST", body: JSON.stringify({ name, mode, steps }) });
  const body = await response.text();
  if (response.status !== 200) throw new Error(body);
  return JSON.parse(body);
}

describe.each(["generate", "stream"])("examples/tools-agent.ts with %sText", (mode) => {
  it("reads, writes, edits, searches and runs over several steps", async () => {
    const { text, results, tools } = await play(`a ${mode}`, mode, [
      { tool: "write", input: { path: "/workspace/notes/a.md", content: "one\ntwo\nthree\n" } },
      { tool: "read", input: { path: "/workspace/notes/a.md", offset: 2, limit: 1 } },
      { tool: "edit", input: { path: "/workspace/notes/a.md", edits: [{ oldText: "two", newText: "2 $&" }] } },
      { tool: "grep", input: { pattern: "$&", path: "/workspace" } },
      { tool: "exec", input: { command: "cat notes/a.md" } },
      { tool: "exec", input: { command: "rm -rf notes" } },
      { tool: "write", input: { path: "/etc/passwd", content: "x" } },
      { text: "done" },
    ]);
    expect(text).toBe("done");
    expect(tools).toEqual(["read", "write", "edit", "grep", "exec"]);
    const [write, read, edit, grep, exec, refused, outside] = results as [
      Output,
      Output,
      Output,
      Output,
      Output,
      Output,
      Output,
    ];
    expect(write).toMatchObject({ type: "json", value: { ok: true, path: "/workspace/notes/a.md", size: 14 } });
    expect(read.value).toMatchObject({ content: "two\n", startLine: 2, endLine: 2, nextOffset: 3, truncated: true });
    expect(edit.value).toMatchObject({ ok: true, edits: [{ rung: "exact", line: 2 }] });
    expect(edit.value.diff).toContain("-two\n+2 $&\n");
    expect(grep.value).toMatchObject({
      hits: [{ path: "/workspace/notes/a.md", line: 2, text: "2 $&" }],
      truncated: false,
    });
    expect(exec.value).toMatchObject({ exitCode: 0, stdout: "one\n2 $&\nthree\n", stderr: "", truncated: false });
    expect(refused).toMatchObject({ type: "error-json", value: { error: { code: "COMMAND_REFUSED" } } });
    expect(outside.value).toMatchObject({ error: { code: "OUTSIDE_ROOT" } });
  });
});

describe("toolset.settings", () => {
  it.each([
    [undefined, 1],
    [0, 31],
    [1, 1],
    [7, 7],
  ])("maxSteps %s makes of a model that wants 31 steps %i, and the seed arrives", async (maxSteps, steps) => {
    // By a path that tsc does not follow: the folder has its own tsconfig.json.
    const { countSteps } = await import(join(project, "count-steps.ts"));
    const settings = { seed: 42, ...(maxSteps === undefined ? {} : { maxSteps }) };
    expect(await countSteps(settings)).toEqual({ generate: { steps, seed: 42 }, stream: { steps, seed: 42 } });
  });
});

it("tsc finds nothing in examples/tools-agent.ts and in this folder", () => {
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["--noEmit", "-p", project], {
    encoding: "utf8",
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

/** The first response, once the server listens. */
async function answer(request: RequestInit): Promise<Response> {
  for (let left = 100; ; left--) {
    try {
      return await fetch(`http://127.0.0.1:${port}/`, request);
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
