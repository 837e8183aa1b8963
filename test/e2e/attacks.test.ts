/**
 * The table of attacks, against real servers over real sockets: a developer's `npm start`, and a deployment with its secret. Every row
 * says what an attacker sends and what comes of it; at the end nothing in either workspace has changed. (Bodies that pause for too long, or
 * announce too much and send little, are tests of the package: `wrangler dev` buffers such bodies.)
 */
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceServer } from "../support/reference-server.ts";

const TOKEN = "attacked-secret-0123456789-0123456789";
const PREVIEW = "preview.test";
const auth = `Authorization: Bearer ${TOKEN}`;
let local: ReferenceServer;
let deployed: ReferenceServer;
let before: string[];

beforeAll(async () => {
  local = await ReferenceServer.local();
  deployed = await ReferenceServer.deployed({ WORKSPACE_TOKEN: TOKEN, PREVIEW_HOST: PREVIEW });
  for (const { url } of [local, deployed]) {
    for (const [name, text] of [
      ["a.txt", "secret"],
      ["page.html", "<script>alert(1)</script>"],
      ["image.svg", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"],
      ["feed.xml", "<?xml-stylesheet href='x.xsl'?><a/>"],
      ["x.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'/>"],
    ] as const) {
      const headers = { Authorization: `Bearer ${TOKEN}` };
      await fetch(`${url}/api/w/demo/files/${name}`, { method: "PUT", body: text, headers });
    }
  }
  before = await states();
}, 240_000);

afterAll(async () => {
  await local?.[Symbol.asyncDispose]();
  await deployed?.[Symbol.asyncDispose]();
}, 60_000);

/** Where the logs of both workspaces stand. */
async function states(): Promise<string[]> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  return Promise.all(
    [local, deployed].map(async ({ url }) => {
      const { cursor } = (await (await fetch(`${url}/api/w/demo/changes`, { headers })).json()) as { cursor: string };
      return cursor;
    }),
  );
}

/** Sends raw bytes and returns the response's head. It does not wait for the end, because not every server closes on request. */
async function raw(server: ReferenceServer, lines: string[], body = ""): Promise<string> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(`${[...lines, "", ""].join("\r\n")}${body}`);
  return new Promise((resolve, reject) => {
    let text = "";
    const timer = setTimeout(() => socket.destroy(new Error(`no answer to ${lines[0]}`)), 60_000);
    socket.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("error", (error) => (text.includes("\r\n") ? resolve(text) : reject(error)));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

const status = (answer: string) => Number(answer.slice(9, 12));
const host = (server: ReferenceServer) => `Host: 127.0.0.1:${server.port}`;
const put = (path: string, ...headers: string[]) => [`PUT ${path} HTTP/1.1`, ...headers, "Content-Length: 1"];
const FILE = "/api/w/demo/files/a.txt";
const SOCKET = [
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
];

async function signIn(server: ReferenceServer): Promise<string> {
  const response = await fetch(`${server.url}/api/session`, {
    method: "POST",
    headers: { Origin: server.url, "X-Workspace-Request": "1", "Content-Type": "application/json" },
    body: JSON.stringify({ token: TOKEN }),
  });
  const cookie = response.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^workspace=.*HttpOnly; SameSite=Strict/);
  return `Cookie: ${cookie.split(";")[0]}`;
}

describe("attacks", () => {
  it("rebinding: a page whose name leads to this machine reaches nothing", async () => {
    for (const name of [
      "evil.example",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "x.localhost.evil.example",
    ]) {
      for (const extra of [
        [],
        [`MF-Original-URL: ${local.url}${FILE}`],
        [`X-Forwarded-Host: 127.0.0.1:${local.port}`],
      ]) {
        const headers = [`Host: ${name}:${local.port}`, ...extra];
        expect(status(await raw(local, [`GET ${FILE} HTTP/1.1`, ...headers]))).toBe(403);
        expect(status(await raw(local, put(FILE, ...headers), "x"))).toBe(403);
        expect(status(await raw(local, ["GET / HTTP/1.1", "Accept: text/html", ...headers]))).toBe(403);
      }
    }
    // A name below localhost that is no preview's, and a preview's without a signature.
    expect(status(await raw(local, [`GET ${FILE} HTTP/1.1`, `Host: evil.localhost:${local.port}`]))).toBe(403);
    const preview = `Host: p3000-0123456789abcdef0123.localhost:${local.port}`;
    expect(status(await raw(local, [`GET ${FILE} HTTP/1.1`, preview]))).toBe(401);
  });

  it("CSRF: a form, a fetch or a link of a page elsewhere changes and reads nothing", async () => {
    const cookie = await signIn(deployed);
    for (const origin of [
      "Origin: http://evil.example",
      "Origin: null",
      "Origin: http://localhost:1",
      "Sec-Fetch-Site: cross-site",
    ]) {
      for (const [server, who] of [
        [local, "X-Nobody: 1"],
        [deployed, cookie],
      ] as const) {
        expect(status(await raw(server, [`GET ${FILE} HTTP/1.1`, host(server), who, origin]))).toBe(403);
        if (origin.startsWith("Origin"))
          expect(status(await raw(server, put(FILE, host(server), who, origin), "x"))).toBe(403);
      }
    }
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const form = [
        "POST /api/w/demo/mkdir HTTP/1.1",
        host(deployed),
        cookie,
        `Origin: http://127.0.0.1:${deployed.port}`,
      ];
      expect(
        status(await raw(deployed, [...form, `Content-Type: ${type}`, "Content-Length: 12"], '{"path":"x"}')),
      ).toBe(403);
    }
    expect(status(await raw(deployed, put(FILE, host(deployed), cookie), "x"))).toBe(403);
    const session = [
      "POST /api/session HTTP/1.1",
      host(deployed),
      "Origin: http://evil.example",
      "Content-Type: application/json",
    ];
    const signedIn = await raw(
      deployed,
      [...session, `Content-Length: ${JSON.stringify({ token: TOKEN }).length}`],
      JSON.stringify({ token: TOKEN }),
    );
    expect([status(signedIn), signedIn.includes("Set-Cookie")]).toEqual([403, false]);
  });

  it("uploaded HTML, SVG and XML never run on this origin", async () => {
    for (const name of ["page.html", "image.svg", "feed.xml", "x.xhtml"]) {
      for (const server of [local, deployed]) {
        const answer = await raw(server, [
          `GET /api/w/demo/files/${name} HTTP/1.1`,
          host(server),
          auth,
          "Accept: text/html",
        ]);
        expect(answer).toMatch(/^Content-Disposition: attachment;/im);
        expect(answer).toMatch(/^X-Content-Type-Options: nosniff/im);
        expect(answer).toMatch(/^Content-Security-Policy: sandbox; default-src 'none'/im);
        expect(answer).toMatch(/^Cross-Origin-Resource-Policy: same-origin/im);
      }
    }
    const page = await raw(local, ["GET / HTTP/1.1", host(local), "Accept: text/html"]);
    expect(page).toMatch(
      /^Content-Security-Policy: default-src 'none'; script-src http:\/\/127\.0\.0\.1:\d+\/assets\/;/im,
    );
  });

  it("path traversal leads nowhere, in every encoding and on every route that takes a path", async () => {
    const climbs = [
      ...[
        "../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/etc/passwd",
        "%2e%2e%2fetc",
        ".%2e/x",
        "..%5c..%5cx",
        "..\\..\\x",
      ],
      ...[
        "%252e%252e%252fx",
        "%c0%ae%c0%ae/x",
        "%uff0e%uff0e/x",
        "....//x",
        "a/../../../x",
        "%00",
        "a%00.txt",
        "%ff",
        "/etc/passwd",
        "//etc/passwd",
      ],
    ];
    for (const path of climbs) {
      for (const method of ["GET", "DELETE"]) {
        const code = status(
          await raw(deployed, [`${method} /api/w/demo/files/${path} HTTP/1.1`, host(deployed), auth]),
        );
        expect([path, code >= 400 && code < 500]).toEqual([path, true]);
      }
      for (const route of ["tree", "stat", "archive", "history/blame"]) {
        const code = status(
          await raw(deployed, [`GET /api/w/demo/${route}?path=${path} HTTP/1.1`, host(deployed), auth]),
        );
        expect([route, path, code >= 400 && code < 500]).toEqual([route, path, true]);
      }
    }
    for (const name of ["..", "%2e%2e", "a%2f..%2fb", "demo%00", "%ff", "."]) {
      expect([400, 404, 405]).toContain(
        status(await raw(deployed, [`GET /api/w/${name}/tree HTTP/1.1`, host(deployed), auth])),
      );
    }
  }, 120_000);

  it("token confusion: no token is accepted as another kind of token", async () => {
    const mint = async (body: object) => {
      const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
      const response = await fetch(`${deployed.url}/api/tokens`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return ((await response.json()) as { token: string }).token;
    };
    const reader = await mint({ workspace: "demo", readOnly: true });
    const session = (await signIn(deployed)).slice("Cookie: workspace=".length);
    const get = (path: string, ...headers: string[]) =>
      raw(deployed, [`GET ${path} HTTP/1.1`, host(deployed), ...headers]);
    expect(status(await get(FILE, `Authorization: Bearer ${reader}`))).toBe(200);
    expect(status(await raw(deployed, put(FILE, host(deployed), `Authorization: Bearer ${reader}`), "x"))).toBe(403);
    expect(status(await get("/api/w/other/tree", `Authorization: Bearer ${reader}`))).toBe(403);
    // A session as a token, a token as a session, both at once, twice, in a query, under other names.
    expect(status(await get(FILE, `Authorization: Bearer ${session}`))).toBe(401);
    const own = ["X-Workspace-Request: 1"];
    expect(status(await get(FILE, `Cookie: workspace=${reader}`, ...own))).toBe(401);
    expect(status(await get(FILE, `Cookie: workspace=${TOKEN}`, ...own))).toBe(401);
    expect(status(await get(FILE, `Cookie: workspace=${session}; workspace=${session}`, ...own))).toBe(401);
    expect(status(await get(FILE, "Authorization: Bearer wrong", `Cookie: workspace=${session}`, ...own))).toBe(401);
    expect(status(await get(`${FILE}?token=${TOKEN}`, "X-Nobody: 1"))).toBe(401);
    expect(status(await get(FILE, `Cookie: __Host-workspace=${session}`, ...own))).toBe(401);
    const bits = reader.split(".");
    const none = Buffer.from(JSON.stringify({ id: "x" })).toString("base64url");
    for (const forged of [
      `wss.${none}.`,
      `wss.${none}.${bits[2]}`,
      `${bits[0]}.${bits[1]}.${"A".repeat(43)}`,
      `${reader}.x`,
    ])
      expect(status(await get(FILE, `Authorization: Bearer ${forged}`))).toBe(401);
  });

  it("oversized bodies are refused, with any announced length", async () => {
    const json = ["POST /api/w/demo/mkdir HTTP/1.1", host(deployed), auth, "Content-Type: application/json"];
    const long = JSON.stringify({ path: "x".repeat(1024 * 1024 + 10) });
    expect(status(await raw(deployed, [...json, `Content-Length: ${long.length}`], long))).toBe(413);
    const chunked = `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`;
    expect(status(await raw(deployed, [...json, "Transfer-Encoding: chunked"], chunked))).toBe(413);
  }, 60_000);

  it("a WebSocket from a foreign origin is not opened", async () => {
    const cookie = await signIn(deployed);
    const path = "/api/w/demo/changes/live";
    for (const origin of ["http://evil.example", "null", "http://p3000-0123456789abcdef0123.localhost:1"]) {
      const open = (server: ReferenceServer, who: string) =>
        raw(server, [`GET ${path} HTTP/1.1`, host(server), who, `Origin: ${origin}`, ...SOCKET]);
      expect(status(await open(local, "X-Nobody: 1"))).toBe(403);
      expect(status(await open(deployed, cookie))).toBe(403);
    }
    expect(status(await raw(deployed, [`GET ${path} HTTP/1.1`, host(deployed), cookie, ...SOCKET]))).toBe(403);
    const own = [`Origin: http://127.0.0.1:${deployed.port}`, ...SOCKET];
    expect(status(await raw(deployed, [`GET ${path} HTTP/1.1`, host(deployed), cookie, ...own]))).toBe(101);
  });

  it("a preview's page calls no API: not on its own host, and not on the studio's", async () => {
    const cookie = await signIn(deployed);
    const name = `p3000-0123456789abcdef0123.${PREVIEW}`;
    // On its own host there is no API, whatever one brings along.
    expect(status(await raw(deployed, [`GET ${FILE} HTTP/1.1`, `Host: ${name}`, auth, cookie]))).toBe(401);
    expect(status(await raw(deployed, put(FILE, `Host: ${name}`, auth), "x"))).toBe(401);
    // On the studio's host it is a foreign page.
    for (const [server, who] of [
      [local, "X-Nobody: 1"],
      [deployed, cookie],
    ] as const) {
      const from = [`Origin: http://${name}`, "Sec-Fetch-Site: same-site", "X-Workspace-Request: 1"];
      expect(status(await raw(server, put(FILE, host(server), who, ...from), "x"))).toBe(403);
      expect(status(await raw(server, [`GET ${FILE} HTTP/1.1`, host(server), who, ...from]))).toBe(403);
      const embedded = ["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors"];
      expect(status(await raw(server, [`GET ${FILE} HTTP/1.1`, host(server), who, ...embedded]))).toBe(403);
    }
  });

  it("after all attacks, no file has changed", async () => {
    expect(await states()).toEqual(before);
  });
});
