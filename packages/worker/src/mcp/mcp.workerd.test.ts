/** Raw protocol requests and their responses. test/e2e/mcp.test.ts runs the official client. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiClient, call, TOKEN } from "../testing/api-client.ts";

type Json = Record<string, unknown>;

class McpCaller {
  readonly ws: ApiClient;
  session: string | null = null;

  constructor(
    readonly name: string,
    readonly token: string = TOKEN,
    readonly said: Record<string, string> = {},
  ) {
    this.ws = new ApiClient(name);
  }

  raw(method: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    const own: Record<string, string> = {
      Authorization: `Bearer ${this.token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
      ...this.said,
      ...(this.session === null ? {} : { "Mcp-Session-Id": this.session }),
    };
    const url = `https://workspace.example/mcp/${this.name}`;
    return call(new Request(url, { method, headers: { ...own, ...headers }, body }));
  }

  async ask(method: string, params: Json = {}): Promise<Json> {
    const response = await this.raw("POST", JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    return messageOf(response);
  }

  async result(method: string, params: Json = {}): Promise<Json> {
    const answer = await this.ask(method, params);
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
    return answer.result as Json;
  }

  async open(): Promise<Json> {
    const message = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } };
    const response = await this.raw("POST", JSON.stringify(message));
    this.session = response.headers.get("Mcp-Session-Id");
    return (await messageOf(response)).result as Json;
  }
}

/** A token made from the secret, as a client would request it. */
async function scopedToken(scope: Json): Promise<string> {
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
  const request = new Request("https://workspace.example/api/tokens", {
    method: "POST",
    headers,
    body: JSON.stringify(scope),
  });
  return ((await (await call(request)).json()) as { token: string }).token;
}

/** JSON, or the last event of a stream, which a slow machine may get. */
async function messageOf(response: Response): Promise<Json> {
  const text = await response.text();
  const streamed = response.headers.get("Content-Type") === "text/event-stream";
  return JSON.parse(streamed ? (/^data: (.*)$/m.exec(text)?.[1] ?? "") : text) as Json;
}

async function refusal(response: Response): Promise<string> {
  const body = (await response.json()) as { error: { code: number | string } };
  return `${response.status} ${body.error.code}`;
}

describe("serveMcp", () => {
  it("initialize opens a session, negotiates the version and says what there is", async () => {
    const mcp = new McpCaller("mcp-open");
    expect(await mcp.open()).toMatchObject({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: { subscribe: true } },
      serverInfo: { name: "workspace" },
    });
    expect(mcp.session).toMatch(/^[0-9a-f-]{36}$/);
    expect(await mcp.result("initialize", { protocolVersion: "1999-01-01" })).toMatchObject({
      protocolVersion: "2025-11-25",
    });
    expect(await mcp.result("initialize", { protocolVersion: "2025-06-18" })).toMatchObject({
      protocolVersion: "2025-06-18",
    });
    expect(await mcp.result("ping")).toEqual({});
  });

  it("tools come with annotations, and a call with text and structured content, logged under its own name", async () => {
    const mcp = new McpCaller("mcp-tools");
    const { tools } = (await mcp.result("tools/list")) as { tools: Json[] };
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["read", "write"]));
    for (const tool of tools) {
      expect(tool).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: "object" },
      });
      expect(tool.annotations).toMatchObject({ readOnlyHint: expect.any(Boolean) });
    }
    const result = await mcp.result("tools/call", {
      name: "write",
      arguments: { path: "/workspace/a.txt", content: "hi\n" },
    });
    expect(result).toMatchObject({ content: [{ type: "text" }], structuredContent: expect.any(Object) });
    expect(await mcp.ws.fs.readFile("/workspace/a.txt", "utf8")).toBe("hi\n");
    const { changes } = await mcp.ws.fs.changes();
    expect(changes.at(-1)).toMatchObject({ actor: "http/mcp", callId: expect.any(String) });
    const missing = await mcp.result("tools/call", { name: "read", arguments: { path: "/workspace/none.txt" } });
    expect(missing).toMatchObject({ isError: true });
    expect(await mcp.ask("tools/call", { name: "no-such-tool" })).toMatchObject({ error: { code: -32602 } });
  });

  const path = "/workspace/shared.txt";
  const tool = (mcp: McpCaller, name: string, input: Json) =>
    mcp.result("tools/call", { name, arguments: { path, ...input } });

  it("sessions of one token are told of each other's changes", async () => {
    const [one, two] = [new McpCaller("mcp-sessions"), new McpCaller("mcp-sessions")];
    for (const mcp of [one, two]) await mcp.open();
    await tool(one, "write", { content: "a\nb\n" });
    await tool(two, "read", {});
    await tool(one, "edit", { oldString: "a", newString: "A" });
    const refused = await tool(two, "write", { content: "all mine\n" });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain(`http/mcp/${one.session?.slice(0, 8)}`);
    expect(await one.ws.fs.readFile(path, "utf8")).toBe("A\nb\n");
  });

  it("clients that name themselves are told of each other's changes, and the log has their names", async () => {
    const one = new McpCaller("mcp-two", TOKEN, { "X-Workspace-Actor": "one" });
    const two = new McpCaller("mcp-two", TOKEN, { "X-Workspace-Actor": "two" });
    await tool(one, "write", { content: "a\nb\n" });
    await tool(two, "read", {});
    await tool(one, "edit", { oldString: "a", newString: "A" });
    const refused = await tool(two, "write", { content: "all mine\n" });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain("http/one/mcp");
    expect(await one.ws.fs.readFile(path, "utf8")).toBe("A\nb\n");
    await tool(two, "read", {});
    expect(await tool(two, "write", { content: "all mine\n" })).not.toHaveProperty("isError");
    const { changes } = await one.ws.fs.changes();
    expect(changes.slice(-3).map(({ actor }) => actor)).toEqual(["http/one/mcp", "http/one/mcp", "http/two/mcp"]);
  });

  it("a token for reading alone sees and calls only what changes nothing", async () => {
    const mcp = new McpCaller("mcp-readonly", await scopedToken({ workspace: "mcp-readonly", readOnly: true }));
    const { tools } = (await mcp.result("tools/list")) as { tools: { name: string; annotations: Json }[] };
    expect(tools.map(({ name }) => name)).toContain("read");
    expect(tools.every(({ annotations }) => annotations.readOnlyHint === true)).toBe(true);
    const before = await mcp.ws.state();
    expect(
      await mcp.ask("tools/call", { name: "write", arguments: { path: "/workspace/a", content: "" } }),
    ).toMatchObject({ error: { code: -32602 } });
    expect(await mcp.ws.state()).toBe(before);
    const elsewhere = new McpCaller("mcp-other", mcp.token);
    expect(await refusal(await elsewhere.raw("POST", "{}"))).toBe("403 OUT_OF_SCOPE");
  });

  it("resources/list walks every file once, page by page, while others come and go", async () => {
    const mcp = new McpCaller("mcp-list");
    const content = "x";
    const paths = Array.from({ length: 450 }, (_, i) => `/workspace/d${i % 7}/${i % 3 === 0 ? "sub/" : ""}f${i}.ts`);
    await mcp.ws.fs.writeMany([...paths, "/workspace/.git/config"].map((path) => ({ path, content })));
    const seen: string[] = [];
    let cursor: unknown;
    do {
      const page = await mcp.result("resources/list", cursor === undefined ? {} : { cursor });
      seen.push(...(page.resources as { uri: string }[]).map(({ uri }) => uri));
      cursor = page.nextCursor;
      // Removed, but the page after its cursor is still found.
      if (seen.length === 200) await mcp.ws.fs.rm(`/workspace/${seen.at(-1)?.slice("workspace://mcp-list/".length)}`);
    } while (cursor !== undefined);
    const expected = paths.map((path) => `workspace://mcp-list/${path.slice("/workspace/".length)}`);
    expect(seen).toHaveLength(450);
    expect(new Set(seen)).toEqual(new Set(expected));
    expect(await mcp.ask("resources/list", { cursor: "bm90IGEgcGF0aA==" })).toMatchObject({ error: { code: -32602 } });
  });

  it("resources/read gives text, bytes and directories, and refuses what is not there or too large", async () => {
    const mcp = new McpCaller("mcp-read");
    await mcp.ws.fs.mkdir("/workspace/sub dir", { recursive: true });
    await mcp.ws.fs.writeFile("/workspace/sub dir/ä.md", "# hi");
    await mcp.ws.fs.writeFile("/workspace/b.png", Uint8Array.of(0, 1, 255));
    await mcp.ws.fs.writeFile("/workspace/large.txt", "x".repeat(1024 * 1024 + 1));
    await mcp.ws.fs.symlink("/etc", "/workspace/out");
    const read = async (path: string) =>
      ((await mcp.result("resources/read", { uri: `workspace://mcp-read/${path}` })).contents as Json[])[0];
    expect(await read("sub%20dir/%C3%A4.md")).toEqual({
      uri: "workspace://mcp-read/sub%20dir/%C3%A4.md",
      mimeType: "text/markdown",
      text: "# hi",
    });
    expect(await read("b.png")).toEqual({ uri: "workspace://mcp-read/b.png", mimeType: "image/png", blob: "AAH/" });
    expect(JSON.parse((await read("sub%20dir/"))?.text as string)).toMatchObject({
      entries: [{ name: "ä.md", type: "file", uri: "workspace://mcp-read/sub%20dir/%C3%A4.md" }],
    });
    const code = async (uri: string) => ((await mcp.ask("resources/read", { uri })).error as { code: number }).code;
    for (const path of ["none", "..%2Fetc", "%2e%2e/x", "a%00b", "out/passwd", "%ff", "sub%20dir//x"])
      expect(await code(`workspace://mcp-read/${path}`)).toBe(-32002);
    for (const uri of ["workspace://other/b.png", "file:///workspace/b.png", "b.png", "workspace://mcp-read/b.png?x"])
      expect(await code(uri)).toBe(-32002);
    expect(await code("workspace://mcp-read/large.txt")).toBe(-32602);
    expect(await code("")).toBe(-32602);
    const ref = { type: "ref/resource", uri: "workspace://mcp-read/{+path}" };
    expect(await mcp.result("completion/complete", { ref, argument: { name: "path", value: "su" } })).toMatchObject({
      completion: { values: ["sub dir/"] },
    });
  });

  it("a subscription receives changes from its response on, and resumes by event id", async () => {
    const mcp = new McpCaller("mcp-watch");
    await mcp.open();
    await mcp.ws.fs.writeFile("/workspace/a.txt", "1");
    await mcp.result("resources/subscribe", { uri: "workspace://mcp-watch/a.txt" });
    // Between the subscription and the stream: must not be missed.
    await mcp.ws.fs.writeFile("/workspace/a.txt", "2");
    const stream = await openStream(mcp);
    expect(await stream.next()).toMatchObject({ uri: "workspace://mcp-watch/a.txt" });
    await mcp.ws.fs.writeFile("/workspace/b.txt", "not subscribed");
    await mcp.result("resources/subscribe", { uri: "workspace://mcp-watch/sub/" });
    await mcp.ws.fs.mkdir("/workspace/sub");
    await mcp.ws.fs.writeFile("/workspace/sub/c.txt", "3");
    expect(await stream.next()).toMatchObject({ uri: "workspace://mcp-watch/sub" });
    const last = await stream.next();
    expect(last).toMatchObject({ uri: "workspace://mcp-watch/sub/c.txt" });
    stream.close();
    await mcp.ws.fs.rm("/workspace/a.txt");
    const resumed = await openStream(mcp, { "Last-Event-ID": last.id });
    expect(await resumed.next()).toMatchObject({ uri: "workspace://mcp-watch/a.txt" });
    await mcp.result("resources/unsubscribe", { uri: "workspace://mcp-watch/a.txt" });
    await mcp.ws.fs.writeFile("/workspace/a.txt", "4");
    await mcp.ws.fs.rename("/workspace/sub", "/workspace/moved");
    expect(await resumed.next()).toMatchObject({ uri: "workspace://mcp-watch/sub" });
    // An unknown cursor: everything may have changed.
    const lost = await openStream(mcp, { "Last-Event-ID": "zzzz.1" });
    expect(await lost.next()).toMatchObject({ uri: "workspace://mcp-watch/sub" });
    expect((await mcp.raw("DELETE")).status).toBe(204);
    expect(await lost.ended()).toBe(true);
    for (const method of ["GET", "DELETE", "POST"]) {
      const response = await mcp.raw(
        method,
        method === "POST" ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined,
      );
      expect(await refusal(response)).toBe("404 -32001");
    }
  });

  it("a session belongs to one workspace and expires when idle", async () => {
    const mcp = new McpCaller("mcp-session");
    await mcp.open();
    const other = new McpCaller("mcp-session-2");
    other.session = mcp.session;
    expect(await refusal(await other.raw("POST", '{"jsonrpc":"2.0","id":1,"method":"ping"}'))).toBe("404 -32001");
    await runInDurableObject(env.HTTP_WORKSPACE.getByName("mcp-session"), (_, { storage }) => {
      storage.sql.exec("UPDATE mcp_session SET seen_ms = 0");
    });
    expect(await refusal(await mcp.raw("POST", '{"jsonrpc":"2.0","id":1,"method":"ping"}'))).toBe("404 -32001");
    const without = new McpCaller("mcp-session");
    expect(await without.ask("resources/subscribe", { uri: "workspace://mcp-session/a" })).toMatchObject({
      error: { code: -32000 },
    });
    expect(await refusal(await without.raw("GET"))).toBe("400 -32000");
  });

  it("the transport's rules are kept: origin, version, media types, methods, size", async () => {
    const mcp = new McpCaller("mcp-rules");
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    expect((await mcp.raw("POST", ping, { Origin: "https://workspace.example" })).status).toBe(200);
    expect(await refusal(await mcp.raw("POST", ping, { Origin: "https://evil.example" }))).toBe("403 FORBIDDEN");
    expect(await refusal(await mcp.raw("POST", ping, { Origin: "null" }))).toBe("403 FORBIDDEN");
    expect(await refusal(await mcp.raw("POST", ping, { "MCP-Protocol-Version": "2020-01-01" }))).toBe("400 -32000");
    expect((await mcp.raw("POST", ping, { "MCP-Protocol-Version": "2025-06-18" })).status).toBe(200);
    expect(await refusal(await mcp.raw("POST", ping, { "Content-Type": "text/plain" }))).toBe("415 -32000");
    expect(await refusal(await mcp.raw("POST", ping, { Accept: "text/html" }))).toBe("406 -32000");
    expect(await refusal(await mcp.raw("GET", undefined, { Accept: "application/json" }))).toBe("406 -32000");
    expect(await refusal(await mcp.raw("PUT", ping))).toBe("405 METHOD_NOT_ALLOWED");
    expect(await refusal(await mcp.raw("POST", `"${"x".repeat(1024 * 1024)}"`))).toBe("413 EFBIG");
    expect(await refusal(await mcp.raw("POST", "{"))).toBe("400 -32700");
    expect(await refusal(await mcp.raw("POST", ping, { Authorization: "Bearer wrong" }))).toBe("401 UNAUTHORIZED");
    expect((await mcp.raw("POST", '{"jsonrpc":"2.0","method":"notifications/initialized"}')).status).toBe(202);
    expect((await mcp.raw("POST", '{"jsonrpc":"2.0","id":1,"result":{}}')).status).toBe(202);
  });

  it("batches are answered in order for the version that has them, and refused for the others", async () => {
    const mcp = new McpCaller("mcp-batch");
    const write = (content: string) => ({
      jsonrpc: "2.0",
      id: content,
      method: "tools/call",
      params: { name: "write", arguments: { path: "/workspace/a", content } },
    });
    const batch = JSON.stringify([
      { jsonrpc: "2.0", method: "notifications/x" },
      write("1"),
      { jsonrpc: "2.0", id: 9, method: "none" },
      7,
    ]);
    const answers = (await (await mcp.raw("POST", batch)).json()) as Json[];
    expect(answers.map(({ id }) => id)).toEqual(["1", 9, null]);
    expect(answers[1]).toMatchObject({ error: { code: -32601 } });
    expect(await refusal(await mcp.raw("POST", batch, { "MCP-Protocol-Version": "2025-11-25" }))).toBe("400 -32600");
    for (const wrong of ["[]", JSON.stringify(Array(21).fill(write("2")))])
      expect(await refusal(await mcp.raw("POST", wrong))).toBe("400 -32600");
    expect(
      await refusal(await mcp.raw("POST", JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "initialize" }]))),
    ).toBe("400 -32600");
  });

  it("whatever is sent, the answer is of the protocol, and what was refused changed nothing", async () => {
    const mcp = new McpCaller("mcp-fuzz");
    await mcp.ws.fs.writeFile("/workspace/a.txt", "kept");
    const before = await mcp.ws.state();
    const methods = [
      "ping",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/read",
      "resources/subscribe",
      "completion/complete",
      "initialize",
      "__proto__",
      "constructor",
      "",
    ];
    const message = fc.record(
      {
        jsonrpc: fc.oneof({ weight: 5, arbitrary: fc.constant("2.0") }, fc.jsonValue()),
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        method: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...methods) }, fc.jsonValue()),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record(
            {
              name: fc.oneof(fc.constant("read"), fc.jsonValue()),
              arguments: fc.jsonValue(),
              uri: fc.string(),
              cursor: fc.string(),
              ref: fc.jsonValue(),
              argument: fc.jsonValue(),
              protocolVersion: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue()), async (body) => {
        const response = await mcp.raw("POST", JSON.stringify(body) ?? "null");
        expect([200, 202, 400]).toContain(response.status);
        if (response.status === 202) return;
        const answers = [await response.json()].flat() as Json[];
        for (const answer of answers) {
          expect(answer.jsonrpc).toBe("2.0");
          expect("result" in answer !== "error" in answer).toBe(true);
          expect((answer.error as { code?: number } | undefined)?.code).not.toBe(-32603);
        }
      }),
      { numRuns: 150, seed: 20_261_118 },
    );
    expect(await mcp.ws.state()).toBe(before);
  });
});

interface Notified {
  uri: string;
  id: string;
}

async function openStream(mcp: McpCaller, headers: Record<string, string> = {}) {
  const response = await mcp.raw("GET", undefined, { Accept: "text/event-stream", ...headers });
  expect(response.headers.get("Content-Type")).toBe("text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const more = async () => {
    const { done, value } = await reader.read();
    text += value ?? "";
    return !done;
  };
  return {
    close: () => reader.cancel(),
    async next(): Promise<Notified> {
      for (;;) {
        const end = text.indexOf("\n\n");
        const event = end === -1 ? null : text.slice(0, end);
        if (event !== null) text = text.slice(end + 2);
        const data = event === null ? undefined : /^data: (.*)$/m.exec(event)?.[1];
        if (event !== null && data !== undefined) {
          const { method, params } = JSON.parse(data) as { method: string; params: { uri: string } };
          expect(method).toBe("notifications/resources/updated");
          return { uri: params.uri, id: /^id: (.*)$/m.exec(event)?.[1] ?? "" };
        }
        if (event === null && !(await more())) throw new Error("the stream ended");
      }
    },
    async ended(): Promise<boolean> {
      while (await more());
      return true;
    },
  };
}
