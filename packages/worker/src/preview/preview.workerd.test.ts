import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../app.ts";
import { sign } from "../auth/signed.ts";
import { hostnameFor } from "../preview-address/preview-host.ts";
import { LINK_PARAMETER, previewLink } from "../preview-address/preview-pass.ts";
import { refusal, TOKEN } from "../testing/caller.ts";

const BASE = "preview.example";
const spent = new Set<string>();
const seen: Request[] = [];

/** What says something about more than the page itself: other pages, other hosts, later visits, how it may be embedded. */
const OVERREACHING = [
  ...["Service-Worker-Allowed", "Clear-Site-Data", "Strict-Transport-Security", "Public-Key-Pins", "Expect-CT"],
  ...["NEL", "Report-To", "Reporting-Endpoints", "Alt-Svc", "Origin-Agent-Cluster"],
  ...["Document-Policy", "Permissions-Policy", "Access-Control-Allow-Credentials"],
  ...["Cross-Origin-Resource-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Embedder-Policy"],
];

/** The object of a workspace with a container in which a hostile server listens. */
const object = {
  // The ports that are shown.
  workspaceRpc: async () => ({ value: [{ port: 3000, url: "port:3000" }] }),
  spendLink: async (id: string) => !spent.has(id) && Boolean(spent.add(id)),
  fetch: async (request: Request) => {
    seen.push(request);
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
const bindings = {
  WORKSPACE: { idFromName: () => ({}) as DurableObjectId, get: () => object },
  REGISTRY: env.REGISTRY,
  MCP_SESSION: env.MCP_SESSION,
  WORKSPACE_TOKEN: TOKEN,
  PREVIEW_HOST: BASE,
};
const app = createApp();

async function visit(
  path: string,
  { port = 3000, workspace = "demo", headers = {} as Record<string, string>, host = "" } = {},
) {
  const name = host || (await hostnameFor(workspace, port, BASE));
  const request = new Request(`https://${name}${path}`, { headers: { Host: name, ...headers } });
  return app.fetch(request, bindings, createExecutionContext());
}

async function enter(): Promise<string> {
  const link = await previewLink(bindings, "demo", 3000, Date.now());
  const response = await visit(`/page?a=1&${LINK_PARAMETER}=${link}`);
  expect([response.status, response.headers.get("Location")]).toEqual([302, "/page?a=1"]);
  const cookie = response.headers.get("Set-Cookie") as string;
  expect(cookie).toMatch(/^workspace-preview=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  expect((await visit(`/page?${LINK_PARAMETER}=${link}`)).status).toBe(401);
  return cookie.slice(0, cookie.indexOf(";"));
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

  it("nobody else comes in: no pass, another's pass, the API's token, a foreign socket, a host of no preview", async () => {
    const Cookie = await enter();
    const link = await previewLink(bindings, "demo", 3000, Date.now());
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
    const reader = await sign(TOKEN, "token", { id: "r", readOnly: true });
    expect(await refusal(await ask("3000/", reader))).toBe("403 OUT_OF_SCOPE");
  });

  it("a preview's host has no API, whatever one brings along", async () => {
    const Cookie = await enter();
    const response = await visit("/api/session", { headers: { Cookie, Authorization: `Bearer ${TOKEN}` } });
    expect(await response.text()).toBe("<h1>hi</h1>");
  });
});
