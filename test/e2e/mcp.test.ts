/**
 * MCP with the official client, over HTTP and over stdio (`wsx mcp`), against a real server: every tool is called, every resource is
 * read, and a subscription reports changes.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceServer } from "../support/reference-server.ts";
import { root } from "../support/root.ts";
import { codeBlock } from "./document-blocks.ts";
import { type McpTools, mcpCalls, type Structured } from "./mcp-calls.ts";
import { WSX } from "./wsx.ts";

const home = mkdtempSync(join(tmpdir(), "mcp-e2e-"));
const AT_ONCE = 16;
let server: ReferenceServer;

beforeAll(async () => {
  server = await ReferenceServer.local();
}, 240_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

interface Connected extends AsyncDisposable {
  client: Client;
  /** The next URI that a notification names. */
  updated(): Promise<string>;
}

async function connect(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Connected> {
  const client = new Client({ name: "e2e", version: "1" });
  const updates: string[] = [];
  const bell = new EventTarget();
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    updates.push(params.uri);
    bell.dispatchEvent(new Event("ring"));
  });
  await client.connect(transport);
  return {
    client,
    async updated() {
      while (updates.length === 0) await once(bell, "ring");
      return updates.shift() as string;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const overHttp = (name: string) => connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/${name}`)));

const overStdio = (name: string) => {
  const env = { PATH: process.env.PATH ?? "", HOME: home, WSX_URL: server.url };
  return connect(
    new StdioClientTransport({ command: process.execPath, args: [WSX, "mcp", "-W", name], env, stderr: "inherit" }),
  );
};

/** The server may be building anew when its sources have just changed, and says so. */
async function put(name: string, path: string, body: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${server.url}/api/w/${name}/files/${path}`, { method: "PUT", body });
    if (response.ok) return;
    if (response.status !== 503) throw new Error(`${response.status} ${await response.text()}`);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

async function get(name: string, path: string): Promise<string | null> {
  const response = await fetch(`${server.url}/api/w/${name}/files/${path}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
}

/** Many files in one request: as an archive. */
async function unpack(name: string, files: Record<string, string>): Promise<void> {
  const folder = mkdtempSync(join(home, "tar-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const tar = execFileSync("tar", ["-cf", "-", "--format=ustar", "."], { cwd: folder, maxBuffer: 64 << 20 });
  const response = await fetch(`${server.url}/api/w/${name}/archive?format=tar`, { method: "PUT", body: tar });
  expect([response.status, await response.json()]).toMatchObject([200, {}]);
}

describe.each([
  ["HTTP", "mcp-http", overHttp],
  ["stdio", "mcp-stdio", overStdio],
] as const)("the official client over %s", (_, name, open) => {
  it("calls every listed tool with valid input, and checks its effect", { timeout: 120_000 }, async () => {
    await using connected = await open(name);
    const { client } = connected;
    expect(client.getServerVersion()).toMatchObject({ name: "workspace" });
    expect(client.getInstructions()).toContain("/workspace");
    const { tools } = await client.listTools();
    // A tool that is new needs a call in mcp-calls.ts; one that is gone must go there too.
    expect(tools.map((tool) => tool.name).sort()).toEqual(Object.keys(mcpCalls).sort());
    const called = new Set<string>();
    const hands: McpTools = {
      put: (path, text) => put(name, path, text),
      get: (path) => get(name, path),
      call: async (tool, input) => {
        const result = await client.callTool({ name: tool, arguments: input });
        expect([tool, result.isError ?? false, result.content]).toEqual([
          tool,
          false,
          expect.arrayContaining([{ type: "text", text: expect.any(String) }]),
        ]);
        called.add(tool);
        return result.structuredContent as Structured;
      },
    };
    for (const { name: tool, annotations } of tools) {
      // Hints that are left out are the protocol's own defaults; this one is always said.
      expect([tool, typeof annotations?.readOnlyHint]).toEqual([tool, "boolean"]);
      await mcpCalls[tool]?.(hands);
      expect([...called]).toContain(tool);
    }
  });

  it("does not overwrite what another client changed since the last read", async () => {
    await using one = await open(name);
    await using two = await open(name);
    const path = "/workspace/shared.txt";
    const call = ({ client }: Connected, tool: string, input: Record<string, unknown>) =>
      client.callTool({ name: tool, arguments: { path, ...input } });
    await call(one, "write", { content: "a\nb\n" });
    await call(two, "read", {});
    await call(one, "edit", { oldString: "a", newString: "A" });
    expect(await call(two, "write", { content: "all mine\n" })).toMatchObject({ isError: true });
    expect(await get(name, "shared.txt")).toBe("A\nb\n");
  });

  it("an invalid call gets an error with a code and a message", async () => {
    await using connected = await open(`${name}-wrong`);
    const { client } = connected;
    const { tools } = await client.listTools();
    for (const { name: tool } of tools) {
      const result = await client.callTool({ name: tool, arguments: { noSuchField: 1 } });
      const { error } = result.structuredContent as { error: { code: string; message: string } };
      expect([tool, result.isError, error.code]).toEqual([tool, true, "INVALID_INPUT"]);
      expect(result.content).toEqual([{ type: "text", text: `INVALID_INPUT: ${error.message}` }]);
    }
  });

  it("a long call is answered as a stream", async () => {
    await using connected = await open(`${name}-slow`);
    const slow = await connected.client.callTool({ name: "exec", arguments: { command: "sleep 2.5; echo done" } });
    expect(JSON.stringify(slow.content)).toContain("done");
  });

  it("lists and reads every resource, completes a path, and receives changes", async () => {
    await using connected = await open(`${name}-files`);
    const { client, updated } = connected;
    const files = Object.fromEntries(
      Array.from({ length: 205 }, (_, i) => [`src/f${i}.ts`, `export const n = ${i};\n`]),
    );
    await unpack(`${name}-files`, files);
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(uris).toHaveLength(205);
    // A few at once, as clients do; many-at-once.test.ts says why not all of them here, and does so without `wrangler dev`.
    for (let at = 0; at < uris.length; at += AT_ONCE) {
      const some = uris.slice(at, at + AT_ONCE);
      const read = await Promise.all(some.map((uri) => client.readResource({ uri })));
      const texts = some.map((uri) => files[uri.slice(`workspace://${name}-files/`.length)]);
      expect(read.flatMap(({ contents }) => contents)).toEqual(
        some.map((uri, i) => ({ uri, mimeType: "text/plain", text: texts[i] })),
      );
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    const template = resourceTemplates[0]?.uriTemplate as string;
    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: template },
      argument: { name: "path", value: "src/f20" },
    });
    expect(completion.values).toEqual([
      "src/f20.ts",
      "src/f200.ts",
      "src/f201.ts",
      "src/f202.ts",
      "src/f203.ts",
      "src/f204.ts",
    ]);
    await expect(client.readResource({ uri: `workspace://${name}-files/none` })).rejects.toMatchObject({
      code: -32002,
    });

    const uri = `workspace://${name}-files/src/f1.ts`;
    await client.subscribeResource({ uri });
    await put(`${name}-files`, "src/f2.ts", "another");
    await put(`${name}-files`, "src/f1.ts", "changed");
    expect(await updated()).toBe(uri);
    await client.unsubscribeResource({ uri });
  });
});

describe("docs/guide/mcp.md", () => {
  const entry = (info: string) => {
    const { mcpServers } = JSON.parse(codeBlock("docs/guide/mcp.md", info));
    return mcpServers.workspace as { url: string; command: string; args: string[] };
  };

  it("docs/guide/mcp.md: the configuration connects an MCP client, by URL and by program", {
    timeout: 1_800_000,
  }, async () => {
    const url = entry("json mcp-http").url.replace("http://127.0.0.1:8787", server.url);
    await using byAddress = await connect(new StreamableHTTPClientTransport(new URL(url)));
    const { command, args } = entry("json mcp-stdio");
    const env = { PATH: process.env.PATH ?? "", HOME: home, WSX_URL: server.url };
    const own = args.map((arg) => arg.replace("/path/to/checkout", () => root));
    await using byProgram = await connect(new StdioClientTransport({ command, args: own, env, stderr: "inherit" }));
    const tools = (await byAddress.client.listTools()).tools;
    expect(tools.length).toBeGreaterThan(5);
    expect((await byProgram.client.listTools()).tools).toEqual(tools);
  });
});
