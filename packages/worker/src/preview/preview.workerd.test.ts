import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { signClaims } from "../auth/signed-claims.ts";
import { createApp } from "../gateway/app.ts";
import { handleRequest, type RouterDependencies } from "../object/router.ts";
import { readForwardedContext } from "../routes/forwarded-context.ts";
import { refusal, TOKEN } from "../testing/api-client.ts";
import { hostnameFor, parsePreviewHost, workspaceHash } from "./preview-host.ts";
import {
  LINK_PARAMETER,
  previewCookie,
  signPreviewLink,
  verifyPreviewCookie,
  verifyPreviewLink,
} from "./preview-ticket.ts";
import { sanitizeResponse } from "./sanitize-response.ts";

const BASE = "preview.example";
const spent = new Set<unknown>();
const seen: Request[] = [];

/** Headers with effects beyond the page itself: other pages, other hosts, later visits, embedding. */
const OVERREACHING = [
  ...["Service-Worker-Allowed", "Clear-Site-Data", "Strict-Transport-Security", "Public-Key-Pins", "Expect-CT"],
  ...["NEL", "Report-To", "Reporting-Endpoints", "Alt-Svc", "Origin-Agent-Cluster"],
  ...["Document-Policy", "Permissions-Policy", "Access-Control-Allow-Credentials"],
  ...["Cross-Origin-Resource-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy"],
];

/** The object of a workspace with a container in which a hostile server listens. */
const object = {
  workspaceRpc: async ({ args: [id] }: { args: unknown[] }) => ({ value: !spent.has(id) && Boolean(spent.add(id)) }),
  fetch: async (request: Request) => {
    const context = readForwardedContext(request);
    if (context !== null) return handleRequest(routing, request, context);
    seen.push(request);
    if (request.headers.get("Upgrade") === "websocket") return echoSocket();
    const headers = new Headers({
      "Content-Type": "text/html",
      "Content-Security-Policy": "default-src 'self'",
      Location: "http://localhost:3000/next?x=1",
    });
    for (const name of OVERREACHING) headers.set(name, "*");
    headers.append("Set-Cookie", "own=1; Domain=preview.example; Path=/");
    headers.append("Set-Cookie", "other=2; domain=.example");
    headers.append("Set-Cookie", "workspace-preview=stolen");
    return new Response("<h1>hi</h1>", { headers });
  },
};
/** Sends every message back, and a tick every 100 ms. */
function echoSocket(): Response {
  const { 0: webSocket, 1: server } = new WebSocketPair();
  server.binaryType = "arraybuffer";
  server.accept();
  const timer = setInterval(() => server.send("tick"), 100);
  server.addEventListener("message", ({ data }) => server.send(data));
  server.addEventListener("close", ({ code }) => {
    clearInterval(timer);
    endedWith.push(code);
  });
  const headers = { "Set-Cookie": "workspace-preview=stolen; Domain=preview.example", "Clear-Site-Data": "*" };
  return new Response(null, { status: 101, webSocket, headers });
}
const endedWith: number[] = [];

const bindings = {
  WORKSPACE: { idFromName: () => ({}) as DurableObjectId, get: () => object },
  REGISTRY: env.REGISTRY,
  WORKSPACE_TOKEN: TOKEN,
  PREVIEW_HOST: BASE,
};
const app = createApp();

/** Of the routes that show ports. */
const routing = {
  workspace: { as: () => ({ shell: { ports: async () => [{ port: 3000, url: "port:3000" }] } }) },
  object: { measure: (_what: unknown, work: () => unknown) => work() },
  env: bindings,
  context: { waitUntil: () => {} },
} as unknown as RouterDependencies;

async function visit(
  path: string,
  { port = 3000, workspace = "demo", headers = {} as Record<string, string>, host = "" } = {},
) {
  const name = host || (await hostnameFor(workspace, port, BASE));
  const request = new Request(`https://${name}${path}`, { headers: { Host: name, ...headers } });
  return app.fetch(request, bindings, createExecutionContext());
}

async function enter(): Promise<string> {
  const link = await signPreviewLink(bindings, { workspace: "demo", port: 3000 }, Date.now());
  const response = await visit(`/page?a=1&${LINK_PARAMETER}=${link}`);
  expect([response.status, response.headers.get("Location")]).toEqual([302, "/page?a=1"]);
  const cookie = response.headers.get("Set-Cookie") as string;
  expect(cookie).toMatch(/^workspace-preview=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  expect((await visit(`/page?${LINK_PARAMETER}=${link}`)).status).toBe(401);
  return cookie.slice(0, cookie.indexOf(";"));
}

/** The target of `ports/:port/…`. */
async function ledTo(path: string, token = TOKEN): Promise<string> {
  const response = await app.fetch(
    new Request(`https://workspace.example/api/w/demo/ports/${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    }),
    bindings,
    createExecutionContext(),
  );
  return response.headers.get("Location") ?? "";
}

describe("previews", () => {
  it("a link is exchanged once for a cookie of that host, and the request reaches the port without what is ours", async () => {
    const Cookie = await enter();
    const response = await visit("/page?a=1", { headers: { Cookie: `mine=7; ${Cookie}`, "X-Workspace-Gate": "key" } });
    expect([response.status, await response.text()]).toEqual([200, "<h1>hi</h1>"]);
    const inner = seen.at(-1) as Request;
    expect(new URL(inner.url).pathname + new URL(inner.url).search).toBe("/page?a=1");
    expect(inner.headers.get("X-Workspace-Port")).toBe("3000");
    expect([inner.headers.get("Cookie"), inner.headers.get("X-Workspace-Gate")]).toEqual(["mine=7", null]);
  });

  it("what the server says about other hosts, and about more than its page, is dropped", async () => {
    const { headers } = await visit("/", { headers: { Cookie: await enter() } });
    expect(headers.getSetCookie()).toEqual(["own=1; Path=/", "other=2"]);
    expect(headers.get("Location")).toBe("/next?x=1");
    for (const name of OVERREACHING) expect([name, headers.get(name)]).toEqual([name, null]);
    expect(headers.get("Content-Security-Policy")).toBe("default-src 'self'");
    expect(headers.get("Cache-Control")).toBe("private, no-store");
  });

  it("rejects other requests: no pass, another's pass, the API's token, a foreign socket, a host of no preview", async () => {
    const Cookie = await enter();
    const link = await signPreviewLink(bindings, { workspace: "demo", port: 3000 }, Date.now());
    const before = seen.length;
    for (const response of [
      await visit("/"),
      await visit("/", { port: 3001, headers: { Cookie } }),
      await visit("/", { workspace: "other", headers: { Cookie } }),
      await visit(`/?${LINK_PARAMETER}=${link}`, { port: 3001 }),
      await visit(`/?${LINK_PARAMETER}=${link}`, { workspace: "other" }),
      await visit("/", { headers: { Cookie: `workspace-preview=${link}` } }),
      await visit("/", { headers: { Authorization: `Bearer ${TOKEN}` } }),
      await visit("/", { headers: { Cookie, Upgrade: "websocket", Origin: "https://evil.example" } }),
    ])
      expect(response.status).toBe(401);
    expect(
      (await visit("/api/w/demo/files/", { host: `x.${BASE}`, headers: { Authorization: `Bearer ${TOKEN}` } })).status,
    ).toBe(404);
    expect(seen.length).toBe(before);
  });

  it("ports/:port/* leads to a port that is shown, at the same path, for who may write there", async () => {
    const ask = (path: string, token = TOKEN) =>
      app.fetch(
        new Request(`https://workspace.example/api/w/demo/ports/${path}`, {
          headers: { Authorization: `Bearer ${token}` },
        }),
        bindings,
        createExecutionContext(),
      );
    const led = await ask("3000/a%20b/c?x=1&y=2");
    const place = new URL(led.headers.get("Location") ?? "");
    expect([led.status, place.host, place.pathname]).toEqual([302, await hostnameFor("demo", 3000, BASE), "/a%20b/c"]);
    const entered = await visit(`${place.pathname}${place.search}`);
    expect([entered.status, entered.headers.get("Location")]).toEqual([302, "/a%20b/c?x=1&y=2"]);
    expect(entered.headers.get("Set-Cookie")).toContain("workspace-preview=");
    const root = new URL((await ask("3000/")).headers.get("Location") ?? "");
    expect(root.pathname).toBe("/");
    expect(await refusal(await ask("3001/"))).toBe("404 ENOENT");
    for (const port of ["0/", "65536/", "x/", "3000x/"]) expect(await refusal(await ask(port))).toBe("400 EINVAL");
    const reader = await signClaims(TOKEN, "token", { id: "r", readOnly: true });
    expect(await refusal(await ask("3000/", reader))).toBe("403 OUT_OF_SCOPE");
  });

  it.each([
    "//evil.example/x",
    "///evil.example/x",
    "/\\evil.example/x",
    "\\\\evil.example/x",
    "/.//evil.example/x",
    "/%2e//evil.example/x",
    "/a/..//evil.example/x",
    "/%2f/evil.example/x",
    "/%2F%2Fevil.example/x",
    "/\t/evil.example/x",
    "/%09/evil.example/x",
    "/%5cevil.example/x",
    "//evil.example/?x=//evil.example",
  ])("a link leads to the preview's own host, whatever its path: %j", async (path) => {
    const link = await signPreviewLink(bindings, { workspace: "demo", port: 3000 }, Date.now());
    const host = await hostnameFor("demo", 3000, BASE);
    for (const start of [
      `https://${host}${path}${path.includes("?") ? "&" : "?"}${LINK_PARAMETER}=${link}`,
      await ledTo(`3000${path}`),
    ]) {
      expect(new URL(start).host).toBe(host);
      const response = await app.fetch(
        new Request(start, { headers: { Host: host } }),
        bindings,
        createExecutionContext(),
      );
      expect([response.status, new URL(response.headers.get("Location") ?? "https://none", start).host]).toEqual([
        302,
        host,
      ]);
    }
  });

  it("a server that redirects to itself leads to no other host", async () => {
    for (const location of ["http://localhost:3000//evil.example/x", "http://127.0.0.1:3000/\\evil.example"]) {
      const clean = sanitizeResponse(new Response(null, { headers: { Location: location } }), 3000, Date.now());
      expect(new URL(clean.headers.get("Location") ?? "", "https://own.example").host).toBe("own.example");
    }
  });

  it("a pass ends with the token that it was made with", async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const token = await signClaims(TOKEN, "token", { id: "short", expires: seconds + 60 });
    const start = await ledTo("3000/", token);
    const response = await visit(new URL(start).pathname + new URL(start).search);
    const [pass = "", maxAge] =
      /^([^;]+);.*Max-Age=(\d+)/.exec(response.headers.get("Set-Cookie") ?? "")?.slice(1) ?? [];
    expect(Number(maxAge)).toBeGreaterThan(50);
    expect(Number(maxAge)).toBeLessThanOrEqual(60);
    expect((await visit("/", { headers: { Cookie: pass } })).status).toBe(200);
    const host = { port: 3000, hash: await workspaceHash("demo") };
    expect(await verifyPreviewCookie(bindings, host, pass, (seconds + 59) * 1000)).not.toBeNull();
    expect(await verifyPreviewCookie(bindings, host, pass, (seconds + 60) * 1000)).toBeNull();
    const late = new URL(await ledTo("3000/", token)).searchParams.get(LINK_PARAMETER) ?? "";
    expect(await verifyPreviewLink(bindings, host, late, (seconds + 60) * 1000)).toBeNull();
  });

  it("an open WebSocket ends with its pass, and its handshake sets nothing", async () => {
    const until = Math.floor(Date.now() / 1000) + 2;
    const cookie = await previewCookie(bindings, { id: "", workspace: "demo", port: 3000, until }, true, Date.now());
    const [Cookie = ""] = cookie.split(";");
    const { status, headers, webSocket } = await visit("/socket", { headers: { Cookie, Upgrade: "websocket" } });
    expect([status, headers.getSetCookie(), headers.get("Clear-Site-Data")]).toEqual([101, [], null]);
    const socket = webSocket as WebSocket;
    socket.binaryType = "arraybuffer";
    const messages: unknown[] = [];
    socket.addEventListener("message", ({ data }) => messages.push(typeof data === "string" ? data : data.byteLength));
    const closed = new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    socket.accept();
    socket.send("hello");
    socket.send(new Uint8Array(5));
    expect(await closed).toBe(4401);
    expect(messages).toEqual(expect.arrayContaining(["hello", 5, "tick"]));
    expect(Date.now()).toBeLessThan((until + 1) * 1000);
    await expect.poll(() => endedWith.length).toBe(1);
    // The other way round: the client leaves.
    const second = (await visit("/socket", { headers: { Cookie: await enter(), Upgrade: "websocket" } })).webSocket;
    second?.accept();
    second?.close(3001, "bye");
    await expect.poll(() => endedWith).toEqual([1001, 3001]);
  });

  it("the URL of a request names the same host as its header, or there is no such preview", async () => {
    const Cookie = await enter();
    const Host = await hostnameFor("demo", 3000, BASE);
    const before = seen.length;
    for (const url of ["https://feed.invalid/?asked={}", "https://inside.invalid/x", "https://workspace.example/api"]) {
      const request = new Request(url, { headers: { Host, Cookie } });
      expect((await app.fetch(request, bindings, createExecutionContext())).status).toBe(404);
    }
    expect(seen.length).toBe(before);
  });

  it("a page of another workspace's preview, or of any other site, uses no pass", async () => {
    const Cookie = await enter();
    const from = async (Origin: string, method: string) =>
      app.fetch(
        new Request(`https://${await hostnameFor("demo", 3000, BASE)}/act`, {
          method,
          headers: { Host: await hostnameFor("demo", 3000, BASE), Cookie, Origin },
        }),
        bindings,
        createExecutionContext(),
      );
    const foreign = [`https://${await hostnameFor("other", 3000, BASE)}`, "https://workspace.example", "null"];
    foreign.push(`https://x.${BASE}`, `http://${await hostnameFor("demo", 3000, BASE)}`);
    for (const origin of foreign)
      for (const method of ["POST", "PUT", "GET"])
        expect([origin, (await from(origin, method)).status]).toEqual([origin, 401]);
    for (const port of [3000, 4000])
      expect((await from(`https://${await hostnameFor("demo", port, BASE)}`, "POST")).status).toBe(200);
  });

  it("the previewed server reads nothing about the client that the client wrote itself", async () => {
    const written = [
      "X-Forwarded-For",
      "X-Forwarded-Port",
      "Forwarded",
      "X-Real-IP",
      "X-Original-URL",
      "X-Rewrite-URL",
    ];
    written.push("CF-Connecting-IP", "MF-Original-URL", "True-Client-IP", "X-Workspace-Context", "X-Workspace-Port");
    const headers = Object.fromEntries(written.map((name) => [name, "127.0.0.1"]));
    await visit("/", { headers: { ...headers, Cookie: await enter() } });
    const inner = seen.at(-1) as Request;
    expect(inner.headers.get("X-Workspace-Port")).toBe("3000");
    for (const name of written.slice(0, -1)) expect([name, inner.headers.get(name)]).toEqual([name, null]);
  });

  it("a cookie without a name, and what CDNs read before Cache-Control, is dropped", () => {
    const response = new Response(null, { headers: { "Cache-Control": 'max-age=3, s-maxage="60", public' } });
    for (const name of ["CDN-Cache-Control", "Cloudflare-CDN-Cache-Control", "Surrogate-Control", "Surrogate-Key"])
      response.headers.set(name, "max-age=60");
    for (const cookie of ["=workspace-preview=x", "workspace-preview", "=__Host-workspace=x; Path=/", " = a", "own=1"])
      response.headers.append("Set-Cookie", cookie);
    const { headers } = sanitizeResponse(response, 3000, Date.now());
    expect(headers.getSetCookie()).toEqual(["own=1"]);
    expect([...headers.keys()].filter((name) => /surrogate|cdn/.test(name))).toEqual([]);
    expect(headers.get("Cache-Control")).toBe("private, max-age=3");
  });

  it("the previewed server gets no credential of ours, and sets none", async () => {
    const pass = await enter();
    const Cookie = `mine=7; workspace=session; __Host-workspace=session; ${pass}`;
    const headers = {
      Cookie,
      Authorization: `Bearer ${TOKEN}`,
      "Proxy-Authorization": "Basic x",
      "X-Workspace-Request": "1",
    };
    await visit("/", { headers });
    const inner = seen.at(-1) as Request;
    expect(inner.headers.get("Cookie")).toBe("mine=7");
    for (const name of ["Authorization", "Proxy-Authorization", "X-Workspace-Gate", "X-Workspace-Request"])
      expect([name, inner.headers.get(name)]).toEqual([name, null]);
    const set = new Response(null);
    for (const name of ["workspace", "__Host-workspace", "workspace-preview", "own"])
      set.headers.append("Set-Cookie", `${name}=1`);
    expect(sanitizeResponse(set, 3000, Date.now()).headers.getSetCookie()).toEqual(["own=1"]);
  });

  it.each(["HOST", "host.", "host:443", "HOST.:8443", "deep.host", "deep.host."])(
    "the name of a preview's host is never the API's, in any spelling: %s",
    async (spelling) => {
      const host = await hostnameFor("demo", 3000, BASE);
      const name = spelling.replace(/host/i, host);
      const spelled = spelling.startsWith("HOST") ? name.toUpperCase() : name;
      const request = new Request(`https://${host}/api/session`, {
        headers: { Host: spelled, Authorization: `Bearer ${TOKEN}` },
      });
      const response = await app.fetch(request, bindings, createExecutionContext());
      expect(response.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
      expect([401, 404]).toContain(response.status);
    },
  );

  it("PREVIEW_HOST may be written in letters of any script, with a dot or a port", () => {
    for (const PREVIEW_HOST of ["Prëview.example", "xn--prview-qva.example.", "prëview.example:8443"]) {
      const request = new Request(`https://p3000-${"a".repeat(20)}.xn--prview-qva.example/`, {
        headers: { Host: `p3000-${"a".repeat(20)}.xn--prview-qva.example` },
      });
      expect(parsePreviewHost(request, { ...bindings, PREVIEW_HOST })).toEqual({ port: 3000, hash: "a".repeat(20) });
    }
  });

  it("a preview's host has no API, whatever one brings along", async () => {
    const Cookie = await enter();
    const response = await visit("/api/session", { headers: { Cookie, Authorization: `Bearer ${TOKEN}` } });
    expect(await response.text()).toBe("<h1>hi</h1>");
  });
});
