import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { Io } from "./io.ts";
import { main } from "./main.ts";

/** Runs a command with `fetch` as the server; other parts of the machine are omitted. */
async function run(argv: string[], fetch: typeof globalThis.fetch, env: Io["env"] = {}) {
  const reported = { out: "", err: "" };
  const io = {
    env: { XDG_CONFIG_HOME: "/nonexistent", ...env },
    cwd: "/",
    terminal: { stdin: false, stdout: false, stderr: false, columns: 80 },
    fetch,
    out: async (data: string | Uint8Array) => void (reported.out += String(data)),
    err: async (data: string | Uint8Array) => void (reported.err += String(data)),
    onInterrupt: () => ({ [Symbol.dispose]: () => {} }),
  } as unknown as Io;
  return { code: await main(argv, io), ...reported };
}

describe("an answer that breaks off", () => {
  it.each([
    ["application/x-ndjson", ["git", "status"], 125],
    ["application/json", ["history"], 69],
  ])("%s is reported as a lost connection, not as an error of wsx", async (type, argv, code) => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "Content-Type": type });
      response.write('{"type":', () => response.destroy());
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const ran = await run(argv, fetch, { WSX_URL: `http://127.0.0.1:${port}` });
      expect(ran.code).toBe(code);
      expect(ran.err).toMatch(/^wsx: EUNREACHABLE: the connection broke off before the end of the answer \(/);
    } finally {
      server.close();
    }
  });
});

describe("wsx grep", () => {
  it.each([
    [1, "file"],
    [2, "files"],
  ])("grep reports %i too large %s that it did not search", async (skippedTooLarge, noun) => {
    const end = { type: "end", truncated: false, truncatedBy: null, stats: { skippedTooLarge } };
    const ran = await run(["grep", "x"], async () => new Response(`${JSON.stringify(end)}\n`));
    expect(ran).toEqual({
      code: 1,
      out: "",
      err: `wsx: not searched, being too large: ${skippedTooLarge} ${noun}\n`,
    });
  });
});

describe("wsx snapshot", () => {
  it.each([
    [[], { name: "n" }],
    [["--no-pin"], { name: "n", pinned: false }],
  ])("--name n %j asks for %j", async (flags, requested) => {
    let body: unknown;
    const ran = await run(["snapshot", "--name", "n", ...flags], async (_, init) => {
      body = JSON.parse(String(init?.body));
      return Response.json({ id: "snap-1" });
    });
    expect([ran, body]).toEqual([{ code: 0, out: "snap-1\n", err: "" }, requested]);
  });
});
