import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { TokenBody, TokenResponse } from "../api/index.ts";
import { createApp } from "../gateway/app.ts";
import { ApiClient, call, refusal, TOKEN } from "../testing/api-client.ts";
import { RateLimiter } from "./rate-limiter.ts";
import { signClaims, verifyClaims } from "./signed-claims.ts";

const HOST = "https://workspace.example";
const json = { "Content-Type": "application/json" };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  call(new Request(HOST + path, { method, headers, body }));

async function mint(body: TokenBody, token = TOKEN): Promise<TokenResponse> {
  const response = await send("POST", "/api/tokens", { ...bearer(token), ...json }, JSON.stringify(body));
  expect(response.status).toBe(201);
  return response.json();
}

async function signIn(token = TOKEN): Promise<string> {
  const headers = { ...json, Origin: HOST, "X-Workspace-Request": "1" };
  const response = await send("POST", "/api/session", headers, JSON.stringify({ token }));
  expect(response.status).toBe(200);
  const cookie = response.headers.get("Set-Cookie") as string;
  expect(cookie).toMatch(/^__Host-workspace=wss\.[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/);
  return cookie.slice(0, cookie.indexOf(";"));
}

describe("scoped tokens", () => {
  it("a token is for one workspace, for reading alone, for a while, as it was made", async () => {
    await new ApiClient("scope-a").put("/a.txt", "x");
    const file = "/api/w/scope-a/files/a.txt";
    const reader = await mint({ workspace: "scope-a", readOnly: true, expiresInSeconds: 60 });
    expect(reader).toMatchObject({ workspace: "scope-a", readOnly: true, expiresAt: expect.any(Number) });
    const as = bearer(reader.token);
    expect((await send("GET", file, as)).status).toBe(200);
    expect(await refusal(await send("PUT", file, as, "y"))).toBe("403 OUT_OF_SCOPE");
    expect(await refusal(await send("DELETE", file, as))).toBe("403 OUT_OF_SCOPE");
    expect(await refusal(await send("GET", "/api/w/scope-b/files/", as))).toBe("403 OUT_OF_SCOPE");
    expect(await refusal(await send("POST", "/api/workspaces", { ...as, ...json }, '{"name":"n"}'))).toBe(
      "403 OUT_OF_SCOPE",
    );
    expect(await refusal(await send("DELETE", "/api/w/scope-a?confirm=scope-a", as))).toBe("403 OUT_OF_SCOPE");
    const writer = bearer((await mint({ workspace: "scope-a" })).token);
    expect((await send("PUT", file, writer, "y")).status).toBe(204);
    expect(await refusal(await send("PUT", "/api/w/scope-b/files/a", writer, "y"))).toBe("403 OUT_OF_SCOPE");
    const listed = (await (await send("GET", "/api/workspaces", writer)).json()) as { workspaces: { name: string }[] };
    expect(listed.workspaces.map(({ name }) => name)).toEqual(["scope-a"]);
    const { changes } = await new ApiClient("scope-a").fs.changes({ path: "/workspace/a.txt" });
    expect(changes.at(-1)?.actor).toMatch(/^http:[0-9a-f]{8}$/);
  });

  it("a token makes others that allow less, and none that allows more", async () => {
    const { token } = await mint({ workspace: "scope-a", readOnly: true, expiresInSeconds: 60 });
    expect(await mint({}, token)).toMatchObject({
      workspace: "scope-a",
      readOnly: true,
      expiresAt: expect.any(Number),
    });
    for (const wider of [{ workspace: "other" }, { readOnly: false }, { expiresInSeconds: 3600 }]) {
      const response = await send("POST", "/api/tokens", { ...bearer(token), ...json }, JSON.stringify(wider));
      expect(await refusal(response)).toBe("403 OUT_OF_SCOPE");
    }
  });

  it("a token ends with its time, and nothing signed for another purpose or by another secret passes for one", async () => {
    const now = Date.now();
    const over = await signClaims(TOKEN, "token", { id: "x", expires: Math.floor(now / 1000) - 1 });
    const session = await signClaims(TOKEN, "session", { id: "x" });
    const preview = await signClaims(TOKEN, "preview", { id: "x" });
    const foreign = await signClaims("another secret", "token", { id: "x" });
    const { token } = await mint({ readOnly: true });
    const [mark, payload, mac] = token.split(".") as [string, string, string];
    const wider = btoa(JSON.stringify({ id: "x" })).replaceAll("=", "");
    const forged = [
      ...[over, session, preview, foreign],
      `${mark}.${wider}.${mac}`,
      `${mark}.${payload}.`,
      `${mark}.${payload}`,
      `${mark}.${payload}.${mac}.`,
      `${mark}.${payload}.${mac.slice(0, -1)}`,
      `${mark}..${mac}`,
      "wss..",
      payload,
    ];
    for (const text of forged) expect(await refusal(await send("GET", "/api", bearer(text)))).toBe("401 UNAUTHORIZED");
    expect(await verifyClaims(TOKEN, "token", over, now)).toBeNull();
    expect((await send("GET", "/api", bearer(token))).status).toBe(200);
  });
});

describe("sessions", () => {
  it("the page signs in with a token and keeps it as a cookie, with the token's scope", async () => {
    const cookie = await signIn((await mint({ workspace: "scope-a", readOnly: true })).token);
    const page = { Cookie: cookie, Origin: HOST, "X-Workspace-Request": "1" };
    const session = await (await send("GET", "/api/session", page)).json();
    expect(session).toMatchObject({
      workspace: "scope-a",
      readOnly: true,
      local: false,
      actor: expect.stringMatching(/^http:/),
    });
    expect(await refusal(await send("PUT", "/api/w/scope-a/files/a", page, "x"))).toBe("403 OUT_OF_SCOPE");
    const out = await send("DELETE", "/api/session", page);
    expect([out.status, out.headers.get("Set-Cookie")]).toEqual([204, expect.stringContaining("Max-Age=0")]);
    expect(await refusal(await send("GET", "/api/session"))).toBe("401 UNAUTHORIZED");
  });

  it("a sign-in needs the right token, from this very page", async () => {
    const page = { ...json, Origin: HOST, "X-Workspace-Request": "1" };
    const body = JSON.stringify({ token: TOKEN });
    expect(await refusal(await send("POST", "/api/session", page, JSON.stringify({ token: "guess" })))).toBe(
      "401 UNAUTHORIZED",
    );
    for (const headers of [
      { ...page, Origin: "https://evil.example" },
      { ...page, Origin: "null" },
      { ...json, "X-Workspace-Request": "1" },
      { ...json, Origin: HOST },
    ]) {
      const response = await send("POST", "/api/session", headers, body);
      expect(response.headers.get("Set-Cookie")).toBeNull();
      expect(await refusal(response)).toBe("403 FORBIDDEN");
    }
    expect(await refusal(await send("POST", "/api/session", { ...page, "Content-Type": "text/plain" }, body))).toBe(
      "415 UNSUPPORTED_TYPE",
    );
  });

  it("a cookie alone changes nothing and reads nothing: its own page must ask", async () => {
    const Cookie = await signIn();
    const ws = new ApiClient("csrf");
    await ws.put("/a.txt", "x");
    const before = await ws.state();
    const file = "/api/w/csrf/files/a.txt";
    const mark = { "X-Workspace-Request": "1" };
    for (const headers of [
      { Cookie },
      { Cookie, Origin: HOST },
      { Cookie, ...mark },
      { Cookie, ...mark, Origin: "https://evil.example" },
      { Cookie, ...mark, Origin: "null" },
      { Cookie, ...mark, Origin: `${HOST}:8443` },
      { Cookie, ...mark, Origin: "http://workspace.example" },
      { Cookie, ...mark, Origin: "https://p3000-0123456789abcdef0123.workspace.example" },
      { Cookie: `${Cookie}; ${Cookie}`, ...mark, Origin: HOST },
    ]) {
      for (const method of ["PUT", "DELETE", "POST"]) {
        const response = await send(
          method,
          file,
          headers as Record<string, string>,
          method === "DELETE" ? undefined : "y",
        );
        expect([401, 403]).toContain(response.status);
        await refusal(response);
      }
    }
    for (const headers of [
      { Cookie },
      { Cookie, "Sec-Fetch-Site": "cross-site" },
      { Cookie, "Sec-Fetch-Site": "same-site" },
      { Cookie, "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" },
    ]) {
      expect(await refusal(await send("GET", file, headers as Record<string, string>))).toBe("403 FORBIDDEN");
    }
    const socket = { Cookie, Upgrade: "websocket", ...mark };
    const origins: Record<string, string>[] = [{}, { Origin: "https://evil.example" }, { Origin: "null" }];
    for (const origin of origins) {
      expect(await refusal(await send("GET", "/api/w/csrf/changes/live", { ...socket, ...origin }))).toBe(
        "403 FORBIDDEN",
      );
    }
    expect(await ws.state()).toBe(before);
    const own = await send("GET", "/api/w/csrf/changes/live", { Cookie, Upgrade: "websocket", Origin: HOST });
    expect(own.status).toBe(101);
    own.webSocket?.accept();
    own.webSocket?.close();
    // A link or an image of the page itself has no header of ours.
    expect((await send("GET", file, { Cookie, "Sec-Fetch-Site": "same-origin" })).status).toBe(200);
    expect((await send("PUT", file, { Cookie, ...mark, Origin: HOST }, "y")).status).toBe(204);
  });
});

describe("rates", () => {
  it("a token has a burst and then so many a second, whatever others do", () => {
    const rates = new RateLimiter({ perSecond: 10, burst: 50 }, "too often");
    const take = (holder: string, ms: number) => {
      try {
        rates.consume(holder, ms);
        return "taken";
      } catch (error) {
        return (error as { headers: Record<string, string> }).headers["Retry-After"];
      }
    };
    for (let i = 0; i < 50; i++) expect(take("a", 0)).toBe("taken");
    expect([take("a", 0), take("b", 0), take("a", 100), take("a", 100)]).toEqual(["1", "taken", "taken", "1"]);
  });

  it("a token over its rate limit gets Retry-After, and nothing is changed; another one is not", async () => {
    const app = createApp();
    const ws = new ApiClient("rates");
    const before = await ws.state();
    const bindings = {
      WORKSPACE: env.HTTP_WORKSPACE,
      REGISTRY: env.REGISTRY,
      WORKSPACE_TOKEN: TOKEN,
      // The burst is five times this rate.
      WORKSPACE_RATE: "1",
    };
    const come = (token: string, method = "GET", path = "/api") =>
      app.fetch(
        new Request(`${HOST}${path}`, { method, headers: bearer(token), ...(method === "PUT" ? { body: "x" } : {}) }),
        bindings,
        createExecutionContext(),
      );
    const { token: other } = await mint({ workspace: "rates" });
    for (let i = 0; i < 5; i++) expect((await come(TOKEN)).status).toBe(200);
    const late = await come(TOKEN, "PUT", "/api/w/rates/files/a.txt");
    expect(late.headers.get("Retry-After")).toBe("1");
    expect(await refusal(late)).toBe("429 TOO_MANY_REQUESTS");
    expect((await come(other)).status).toBe(200);
    expect(await ws.state()).toBe(before);
  });
});
