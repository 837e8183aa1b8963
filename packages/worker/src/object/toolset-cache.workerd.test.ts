import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { expect, it } from "vitest";
import type { Env } from "../env.ts";
import { deniedGlobs } from "../model-policy.ts";
import { ApiClient, call, TOKEN } from "../testing/api-client.ts";
import { ToolsetCache } from "./toolset-cache.ts";

interface Answer {
  content: string;
  structured: Record<string, unknown>;
  isError?: boolean;
}

async function post(name: string, tool: string, input: unknown, headers: Record<string, string> = {}) {
  const url = `https://workspace.example/api/w/${name}/tools/${encodeURIComponent(tool)}`;
  const response = await call(
    new Request(url, {
      method: "POST",
      body: JSON.stringify(input),
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json", ...headers },
    }),
  );
  return { status: response.status, answer: (await response.json()) as Answer };
}

it("POST tools/:tool runs in the object, by our names, aliases and trained-in verbs alike", async () => {
  const ws = new ApiClient("object-tools");
  const written = await post(
    "object-tools",
    "write",
    { path: "a.txt", content: "one\n" },
    { "X-Workspace-Call": "c-1" },
  );
  expect(written).toMatchObject({ status: 200, answer: { structured: { ok: true, path: "/workspace/a.txt" } } });
  const { changes } = await ws.fs.changes({ path: "/workspace/a.txt" });
  expect(changes.at(-1)).toMatchObject({ actor: "http/tools", callId: written.answer.structured.callId });
  for (const [tool, input] of [
    ["read_file", { path: "a.txt" }],
    ["tool::file_read", { path: "a.txt" }],
    ["str_replace_based_edit_tool", { command: "view", path: "/workspace/a.txt" }],
    ["bash", { command: "cat a.txt" }],
  ] as const) {
    const { status, answer } = await post("object-tools", tool, input);
    expect([tool, status, answer.isError, answer.content.includes("one")]).toEqual([tool, 200, undefined, true]);
  }
  expect((await post("object-tools", "no_such_tool", {})).status).toBe(404);
});

it("the deployment's WORKSPACE_DENY holds for the tools, and browse is there with a container and a place for previews", () =>
  runInDurableObject(env.HTTP_WORKSPACE.getByName("object-tools-2"), async (_, { storage }) => {
    const sandbox = { fetch: async () => new Response("no container here", { status: 503 }) };
    const sandboxSettings = { previewUrl: async (port: number) => `port:${port}` };
    const workspace = new Workspace({ storage, sandbox, sandboxSettings });
    await workspace.fs.writeFile("/workspace/.env", "SECRET=1");
    const vars = { WORKSPACE_TOKEN: TOKEN, WORKSPACE_DENY: " .env\n*.pem " } as Env;
    expect(deniedGlobs(vars)).toEqual([".env", "*.pem"]);
    const tools = new ToolsetCache({ workspace, name: "object-tools-2", env: vars });
    const caller = { actor: "http", via: "tools", readOnly: false };
    const previews = { protocol: "https:", base: "previews.example" };
    const denied = await tools.call(caller, "read", { path: ".env" });
    expect(denied?.structured).toMatchObject({ error: { code: "DENIED" } });
    const names = async (more: object) =>
      JSON.parse((await tools.list({ ...caller, ...more }, "json")).tools).map(({ name }: { name: string }) => name);
    expect(await names({})).not.toContain("browse");
    expect(await names({ previews })).toContain("browse");
    const shown = await tools.call({ ...caller, previews }, "browse", { port: 3000 });
    expect(shown?.structured.url).toMatch(/^https:\/\/p3000-[0-9a-f]{20}\.previews\.example\/\?workspace-preview=/);
    expect(await workspace.shell.ports()).toEqual([{ port: 3000, url: "port:3000" }]);
    expect(await tools.call({ ...caller, readOnly: true }, "write", { path: "a", content: "" })).toBeNull();
    expect(await tools.call({ ...caller, readOnly: true }, "write_file", { path: "a", content: "" })).toBeNull();
    // Cached for the same caller, until a tool is disabled.
    await workspace[internals].toolState.saveDisabledTools(["grep"]);
    expect(await names({})).not.toContain("grep");
    await workspace[internals].toolState.saveDisabledTools([]);
    expect(await names({})).toContain("grep");
  }));
