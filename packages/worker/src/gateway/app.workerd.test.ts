import { createExecutionContext } from "cloudflare:test";
import { DurableObject, env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signClaims } from "../auth/signed-claims.ts";
import { CODES } from "../errors/codes.ts";
import { HttpWorkspaceObject } from "../object/index.ts";
import { ApiClient, call, consumed, refusal, TOKEN } from "../testing/api-client.ts";
import { createApp } from "./app.ts";

const ask = (method: string, path: string) =>
  call(new Request(`https://workspace.example${path}`, { method, headers: { Authorization: `Bearer ${TOKEN}` } }));

describe("createApp", () => {
  it("GET / says what to curl, for this very address and mode", async () => {
    const deployed = await ask("GET", "/");
    expect(deployed.headers.get("Content-Type")).toBe("text/plain;charset=UTF-8");
    const text = await deployed.text();
    expect(text).toContain(
      'curl -H "Authorization: Bearer $WORKSPACE_TOKEN" https://workspace.example/api/w/demo/files/docs/',
    );
    expect(text).not.toContain(TOKEN);
    const local = new Request("http://localhost:8787/", { headers: { Host: "localhost:8787" } });
    expect(await (await call(local, { WORKSPACE_LOCAL: "1" })).text()).toContain(
      "curl http://localhost:8787/api/w/demo/files/docs/",
    );
  });

  it("GET /api says name, version and routes", async () => {
    const body = (await (await ask("GET", "/api")).json()) as { routes: string[] };
    expect(body).toMatchObject({ name: "workspace", version: "0.1.0" });
    expect(body.routes).toContain("PUT /api/w/:name/files/*path");
  });

  it.each([
    "/nothing",
    "/api/",
    "/api/w",
    "/api/w/demo/",
    "/api/w/demo/filesystem/a",
    "//api",
    "/%61pi",
    "/api/w/demo/files%2Fa",
  ])("%s is no route", async (path) => {
    expect(await refusal(await ask("GET", path))).toBe("404 NO_ROUTE");
  });

  it.each(["POST", "PATCH", "OPTIONS", "PROPFIND", "MKCOL"])(
    "%s on a file is not allowed, and Allow says what is",
    async (method) => {
      const response = await ask(method, "/api/w/demo/files/a.txt");
      expect(response.headers.get("Allow")).toBe("GET, HEAD, PUT, DELETE");
      expect(await refusal(response)).toBe("405 METHOD_NOT_ALLOWED");
    },
  );

  it("every response is nosniff, for this origin only, and not cached unless it allows caching", async () => {
    const ws = new ApiClient("headers");
    const answers = [
      ws.put("/a.txt", "x"),
      ws.get("/"),
      ws.get("/none"),
      ask("GET", "/"),
      ask("GET", "/x"),
      call(new Request("https://x/")),
    ];
    for (const answer of await Promise.all(answers)) {
      await answer.arrayBuffer();
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    }
  });

  it("an error names the path in the workspace and what to do", async () => {
    expect(await (await new ApiClient("errors").get("/none.txt")).json()).toEqual({
      error: {
        code: "ENOENT",
        message: "ENOENT: no such file or directory, stat '/workspace/none.txt'",
        path: "/workspace/none.txt",
        hint: CODES.ENOENT.hint,
      },
    });
  });

  const refusing = (code: string) => async () => ({ error: { message: `${code}: a reason`, code } });
  it.each([
    ["an object that cannot be reached", () => Promise.reject(new Error("internal detail")), "503 UNAVAILABLE"],
    [
      "an object with a fault",
      async () => ({ error: { message: "internal detail", name: "TypeError" } }),
      "500 INTERNAL",
    ],
    ["a workspace that is busy", refusing("EAGAIN"), "429 EAGAIN"],
    ["a workspace of newer code", refusing("EVERSION"), "503 EVERSION"],
    ["a workspace that is full", refusing("ENOSPC"), "507 ENOSPC"],
  ])("%s is an answer of the one shape, without details", async (_, workspaceRpc, expected) => {
    // Of the routes that run in the Worker, the one that asks a workspace.
    const body = { name: `stub-${crypto.randomUUID()}` };
    const response = await askStub("/api/workspaces", { workspaceRpc }, body);
    expect(response.headers.get("Retry-After")).toBe(/UNAVAILABLE|EAGAIN/.test(expected) ? "1" : null);
    expect(await response.clone().text()).not.toContain("internal detail");
    expect(await refusal(response)).toBe(expected);
  });

  it("an object that cannot be reached for its files is an answer of the one shape, with the common headers", async () => {
    const fetch = () => Promise.reject(new Error("internal detail"));
    const response = await askStub("/api/w/demo/files/a", { fetch });
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(await response.clone().text()).not.toContain("internal detail");
    expect(await refusal(response)).toBe("503 UNAVAILABLE");
  });

  it("a client cannot say what goes inside", async () => {
    const requested = {
      route: "GET /api/w/:name/files/*",
      principal: { actor: "root", scope: {} },
      name: "inside-other",
    };
    const headers = { "X-Workspace-Context": encodeURIComponent(JSON.stringify(requested)) };
    const ws = new ApiClient("inside-forged");
    expect((await ws.put("/a.txt", "x", headers)).status).toBe(201);
    expect((await ws.fs.changes()).changes.at(-1)?.actor).toBe("http");
    const direct = env.HTTP_WORKSPACE.getByName("inside-forged").fetch("https://h/api/w/inside-forged/files/a.txt", {
      headers,
    });
    expect((await direct).status).toBe(404);
  });

  it("a client's own context changes neither route, principal nor workspace, whatever route it asks", async () => {
    const forged = {
      route: "DELETE /api/w/:name/files/*",
      principal: { actor: "root", authMethod: "token", scope: { readOnly: false }, tokenId: "", rateLimitKey: null },
      name: "context-other",
      origin: "https://evil.example",
      host: "evil.example",
      endMarker: "00".repeat(16),
    };
    const reader = await signClaims(TOKEN, "token", { id: "r", workspace: "context-forged", readOnly: true });
    const headers = {
      Authorization: `Bearer ${reader}`,
      "Content-Type": "application/json",
      "X-Workspace-Context": encodeURIComponent(JSON.stringify(forged)),
    };
    const ws = new ApiClient("context-forged");
    await ws.put("/a.txt", "x");
    const state = await ws.state();
    const ask = (method: string, path: string, body?: string) =>
      call(new Request(`https://workspace.example${path}`, { method, headers, body }));
    const initialize = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "write", arguments: {} } };
    for (const [method, path, status, body] of [
      ["GET", "/api/w/context-forged/files/a.txt", 200],
      ["GET", "/api/w/context-forged/stat?path=a.txt", 200],
      ["POST", "/api/w/context-forged/search/grep", 200, '{"pattern":"x"}'],
      ["POST", "/api/w/context-forged/mkdir", 403, '{"path":"d"}'],
      ["DELETE", "/api/w/context-forged/files/a.txt", 403],
      ["POST", "/api/w/context-forged/exec", 403, '{"command":"touch b"}'],
      ["PUT", "/api/w/context-forged/archive", 403, "x"],
      ["GET", "/api/w/context-other/files/a.txt", 403],
      ["POST", "/mcp/context-other", 403, JSON.stringify(initialize)],
    ] as const)
      expect([method, path, (await consumed(ask(method, path, body))).status]).toEqual([method, path, status]);
    const denied = await (await ask("POST", "/mcp/context-forged", JSON.stringify(initialize))).json();
    expect(denied).toMatchObject({ error: { code: -32602 } });
    expect(await ws.state()).toBe(state);
  });

  it("the object's public members are workspaceRpc, fetch and alarm", () => {
    const names = new Set<string>();
    for (
      let at = HttpWorkspaceObject.prototype as object;
      at !== DurableObject.prototype;
      at = Object.getPrototypeOf(at)
    )
      for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    // Handlers that the runtime calls, and hooks for subclasses.
    const others = ["constructor", "webSocketMessage", "webSocketClose", "webSocketError"];
    others.push("createWorkspace", "scheduleMaintenance");
    expect([...names].filter((name) => !others.includes(name)).sort()).toEqual(["alarm", "fetch", "workspaceRpc"]);
  });
});

async function askStub(path: string, stub: object, body?: object): Promise<Response> {
  const WORKSPACE = { idFromName: () => ({}) as DurableObjectId, get: () => stub };
  const request = new Request(`https://x${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const bindings = { WORKSPACE, REGISTRY: env.REGISTRY, WORKSPACE_TOKEN: TOKEN };
  return createApp().fetch(request, bindings, createExecutionContext());
}
