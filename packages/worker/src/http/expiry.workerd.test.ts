import { describe, expect, it } from "vitest";
import { signClaims } from "../auth/signed-claims.ts";
import { call, TOKEN } from "../testing/api-client.ts";

const NAME = "expiry";

function send(method: string, path: string, token: string, headers: Record<string, string> = {}, body?: object) {
  return call(
    new Request(`https://workspace.example${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      body: body && JSON.stringify(body),
    }),
  );
}

/** A token of some seconds, and the time of its end. A busy machine needs them to open what ends with it. */
async function shortToken(): Promise<[string, number]> {
  const expires = Math.floor(Date.now() / 1000) + 6;
  return [await signClaims(TOKEN, "token", { id: "short", workspace: NAME, readOnly: true, expires }), expires * 1000];
}

/** The id of a command that runs for a minute. */
async function startCommand(): Promise<string> {
  const started = await send(
    "POST",
    `/api/w/${NAME}/exec`,
    TOKEN,
    {},
    {
      command: "i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo $i; sleep 1; done",
    },
  );
  return ((await started.json()) as { id: string }).id;
}

describe("a response that goes on ends with the token of its request", () => {
  it("the events of a command, as a stream and as a socket", async () => {
    const id = await startCommand();
    const [token, endsAt] = await shortToken();
    const events = `/api/w/${NAME}/exec/${id}/events`;
    const { webSocket } = await send("GET", events, token, { Upgrade: "websocket" });
    const closed = new Promise((resolve) => webSocket?.addEventListener("close", ({ code }) => resolve(code)));
    webSocket?.accept();
    const text = await (await send("GET", events, token)).text();
    expect(text).toContain("event: stdout");
    expect(text).not.toContain("event: exit");
    expect(await closed).toBe(4401);
    expect(Date.now()).toBeLessThan(endsAt + 20_000);
    expect((await send("GET", events, token)).status).toBe(401);
    await send("POST", `/api/w/${NAME}/exec/${id}/kill`, TOKEN, {}, {});
  });

  it("the stream of an MCP session", async () => {
    const params = { protocolVersion: "2025-11-25" };
    // The first request loads the tools.
    const first = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    await (await send("POST", `/mcp/${NAME}`, TOKEN, {}, first)).arrayBuffer();
    const [token, endsAt] = await shortToken();
    const opened = await send(
      "POST",
      `/mcp/${NAME}`,
      token,
      {},
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
    );
    await opened.arrayBuffer();
    const headers = { Accept: "text/event-stream", "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
    const stream = await send("GET", `/mcp/${NAME}`, token, headers);
    expect(stream.status).toBe(200);
    await stream.text();
    expect(Date.now()).toBeLessThan(endsAt + 20_000);
  });

  it("HEAD leaves no stream behind", async () => {
    const id = await startCommand();
    const response = await send("HEAD", `/api/w/${NAME}/exec/${id}/events`, TOKEN);
    expect([response.status, response.body]).toEqual([200, null]);
    await send("POST", `/api/w/${NAME}/exec/${id}/kill`, TOKEN, {}, {});
  });
});
