import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signClaims } from "../auth/signed-claims.ts";
import { call, TOKEN } from "../testing/api-client.ts";
import { MCP_LIMITS } from "./limits.ts";

class Client {
  constructor(
    readonly workspace: string,
    readonly token: string,
  ) {}

  send(method: string, session: string | null, body?: object): Promise<Response> {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.token}`,
      Accept: "application/json, text/event-stream",
      "Content-Type": "application/json",
    };
    if (session !== null) headers["Mcp-Session-Id"] = session;
    const url = `https://workspace.example/mcp/${this.workspace}`;
    return call(
      new Request(url, { method, headers, body: body && JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }) }),
    );
  }

  async open(): Promise<Response> {
    const response = await this.send("POST", null, { method: "initialize", params: { protocolVersion: "2025-11-25" } });
    await response.arrayBuffer();
    return response;
  }

  async openId(): Promise<string> {
    const response = await this.open();
    expect(response.status).toBe(200);
    return response.headers.get("Mcp-Session-Id") as string;
  }

  /** The status of each operation on a session. */
  async statuses(session: string): Promise<number[]> {
    const params = { uri: `workspace://${this.workspace}/a` };
    const answers = [
      await this.send("POST", session, { method: "ping" }),
      await this.send("POST", session, { method: "resources/subscribe", params }),
      await this.send("GET", session),
      await this.send("DELETE", session),
    ];
    await Promise.all(answers.map((answer) => answer.body?.cancel()));
    return answers.map(({ status }) => status);
  }

  async isOpen(session: string): Promise<boolean> {
    const response = await this.send("POST", session, { method: "ping" });
    await response.arrayBuffer();
    return response.status === 200;
  }
}

async function derived(token: string): Promise<string> {
  const response = await call(
    new Request("https://workspace.example/api/tokens", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: "{}",
    }),
  );
  return ((await response.json()) as { token: string }).token;
}

const reader = (workspace: string, id: string) =>
  signClaims(TOKEN, "token", { id, workspace, readOnly: true }).then((token) => new Client(workspace, token));

describe("an MCP session", () => {
  it("is its principal's own: for another token of the same workspace it does not exist", async () => {
    const owner = new Client("mcp-bound", TOKEN);
    const session = await owner.openId();
    for (const other of [await reader("mcp-bound", "one"), await reader("mcp-bound", "two")])
      expect(await other.statuses(session)).toEqual([404, 404, 404, 404]);
    expect(await owner.statuses(session)).toEqual([200, 200, 200, 204]);
    const first = await reader("mcp-bound", "one");
    const own = await first.openId();
    expect(await (await reader("mcp-bound", "two")).statuses(own)).toEqual([404, 404, 404, 404]);
    expect(await owner.statuses(own)).toEqual([404, 404, 404, 404]);
    expect(await first.isOpen(own)).toBe(true);
  });

  it("ends when its principal opens too many others, the longest unused first", async () => {
    const one = await reader("mcp-many", "one");
    const other = await reader("mcp-many", "two");
    const retained = await other.openId();
    const opened: string[] = [];
    for (let i = 0; i < MCP_LIMITS.sessionsOfPrincipal + 2; i++) opened.push(await one.openId());
    expect(await Promise.all(opened.slice(0, 3).map((session) => one.isOpen(session)))).toEqual([false, false, true]);
    expect(await one.isOpen(opened.at(-1) as string)).toBe(true);
    expect(await other.isOpen(retained)).toBe(true);
  });

  it("counts for the token from which other tokens derive, and stays that of one of them", async () => {
    const parent = await reader("mcp-derived", "parent");
    const kept = await parent.openId();
    const opened: [Client, string][] = [];
    for (let i = 0; i < 4; i++) {
      const child = new Client("mcp-derived", await derived(parent.token));
      for (let k = 0; k < MCP_LIMITS.sessionsOfPrincipal / 2; k++) opened.push([child, await child.openId()]);
    }
    const open = await Promise.all(opened.map(([client, session]) => client.isOpen(session)));
    expect(open.filter(Boolean).length).toBe(MCP_LIMITS.sessionsOfPrincipal);
    expect(open.at(-1)).toBe(true);
    expect(await parent.isOpen(kept)).toBe(false);
    const [[last, session] = [parent, kept]] = opened.slice(-1);
    expect(await parent.isOpen(session)).toBe(false);
    expect(await new Client("mcp-derived", await derived(last.token)).isOpen(session)).toBe(false);
  });

  it("is opened by a valid initialize alone", async () => {
    const client = await reader("mcp-opens", "one");
    for (const message of [
      { method: "initialize" },
      { method: "initialize", params: { protocolVersion: 1 } },
      { method: "initialize", params: { protocolVersion: "x".repeat(65) } },
      { method: "initialize", id: undefined, params: { protocolVersion: "2025-11-25" } },
      { method: "initialize", id: null, params: { protocolVersion: "2025-11-25" } },
      { method: "initialize", jsonrpc: "1.0", params: { protocolVersion: "2025-11-25" } },
    ]) {
      const response = await client.send("POST", null, message);
      await response.arrayBuffer();
      expect([message, response.headers.get("Mcp-Session-Id")]).toEqual([message, null]);
    }
  });

  it("is refused when the workspace has too many, but not to the owner; one that ends makes room", async () => {
    const principals = MCP_LIMITS.sessionsOfWorkspace / MCP_LIMITS.sessionsOfPrincipal;
    const clients = await Promise.all(Array.from({ length: principals }, (_, i) => reader("mcp-full", `p${i}`)));
    const opened = await Promise.all(
      clients.map(async (client) => {
        let last = "";
        for (let i = 0; i < MCP_LIMITS.sessionsOfPrincipal; i++) last = await client.openId();
        return last;
      }),
    );
    const late = await reader("mcp-full", "late");
    const refused = await late.open();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const owner = new Client("mcp-full", TOKEN);
    expect((await owner.open()).status).toBe(200);
    // A principal with sessions makes room by ending its own.
    expect((await (clients[1] as Client).open()).status).toBe(200);
    for (const at of [0, 2]) await clients[at]?.send("DELETE", opened[at] as string);
    expect((await late.open()).status).toBe(200);
  });

  it("ends when it is idle, and no longer counts", async () => {
    const one = await reader("mcp-idle", "one");
    const session = await one.openId();
    const object = env.HTTP_WORKSPACE.getByName("mcp-idle");
    const idle = () =>
      runInDurableObject(
        object,
        (_, { storage }) => storage.sql.exec("UPDATE mcp_session SET seen_ms = 0").rowsWritten,
      );
    // Under an open stream it is not idle.
    const stream = await one.send("GET", session);
    expect(await idle()).toBe(1);
    expect(await one.isOpen(session)).toBe(true);
    await stream.body?.cancel();
    await expect.poll(async () => (await idle()) > 0 && (await one.isOpen(session))).toBe(false);
    await one.openId();
    const rows = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec("SELECT id FROM mcp_session").toArray(),
    );
    expect(rows.length).toBe(1);
  });
});
