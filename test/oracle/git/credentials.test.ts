/**
 * Passwords go only to the origin that a request really reaches, and can be read nowhere afterwards.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { GitHost } from "@workspace/git";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Fault, type FaultyServer, gitEnv, ours, passOn, real, send, startFaultyServer } from "./faulty-server.ts";

let server: FaultyServer;
let origin: string;
let folder: string;

beforeAll(async () => {
  server = await startFaultyServer();
  ({ origin, folder } = server);
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  server.seen.length = 0;
  server.fault = passOn;
});

describe("credentials", () => {
  const wants: Fault = async (request, answer, response) => {
    const basic = `Basic ${Buffer.from("me:secret").toString("base64")}`;
    if (request.headers.authorization === basic) await send(await answer(), response);
    else response.writeHead(401, { "www-authenticate": "Basic realm=x" }).end();
  };

  it("credentials come from the host, by origin, and are stored nowhere", async () => {
    server.fault = wants;
    const requested: string[] = [];
    const credentials: GitHost["credentials"] = ({ origin: from }) => {
      requested.push(from);
      return { username: "me", password: "secret" };
    };
    const { exitCode, stderr } = await ours(folder, ["clone", `${origin}/server.git`, "private"], { credentials });
    expect(stderr).toBe("Cloning into 'private'...\n");
    expect(exitCode).toBe(0);
    expect([...new Set(requested)]).toEqual([origin]);
    expect(readFileSync(join(folder, "private", ".git", "config"), "utf8")).not.toContain("secret");
  });

  it("credentials of wsgit come only from the program that the environment names", async () => {
    server.fault = wants;
    const program = join(folder, "ask.sh");
    const asked = join(folder, "asked");
    const answers = `#!/bin/sh\necho "$1" >> '${asked}'\ncase "$1" in User*) echo me ;; *) echo secret ;; esac\n`;
    writeFileSync(program, answers, { mode: 0o755 });
    const wsgit = join(import.meta.dirname, "../../../packages/git/bin/wsgit.mjs");
    const run = (env: Record<string, string>, ...argv: string[]) =>
      new Promise<number | null>((resolve) => {
        const child = spawn(process.execPath, [wsgit, ...argv, `${origin}/server.git`], {
          cwd: folder,
          env: { ...gitEnv, ...env },
        });
        child.on("close", resolve);
      });
    expect(await run({}, "-c", `core.askPass=${program}`, "ls-remote")).toBe(128);
    expect(existsSync(asked)).toBe(false);
    expect(await run({ GIT_ASKPASS: program }, "ls-remote")).toBe(0);
    const host = origin.slice("http://".length);
    expect(readFileSync(asked, "utf8")).toBe(`Username for '${origin}': \nPassword for 'http://me@${host}': \n`);
  });

  it("wrong credentials give git's error", async () => {
    server.fault = wants;
    const credentials = () => ({ username: "me", password: "wrong" });
    const { exitCode, stderr } = await ours(folder, ["ls-remote", `${origin}/server.git`], { credentials });
    expect(stderr).toBe(`fatal: Authentication failed for '${origin}/server.git/'\n`);
    expect(exitCode).toBe(128);
  });

  it("credentials are not sent to a redirect's target", async () => {
    const elsewhere = createServer((request, response) => {
      const { authorization, host } = request.headers;
      server.seen.push({ authorization, host, url: request.url ?? "" });
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    server.fault = async (request, _, response) => {
      if (request.headers.authorization === undefined) response.writeHead(401, { "www-authenticate": "Basic" }).end();
      else response.writeHead(302, { location: `${other}${request.url}` }).end();
    };
    const credentials: GitHost["credentials"] = ({ origin: from }) =>
      from === origin ? { username: "me", password: "secret" } : null;
    const { exitCode } = await ours(folder, ["ls-remote", `${origin}/server.git`], { credentials });
    elsewhere.close();
    expect(exitCode).toBe(128);
    const there = server.seen.filter(({ host }) => host === other.slice("http://".length));
    expect(there.length).toBeGreaterThan(0);
    expect(there.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it("credentials and proxies cannot be set by the repository's own configuration", async () => {
    const clone = server.staleClone();
    const marker = join(clone, "ran");
    const helper = `!touch ${marker}; echo username=x; echo password=stolen`;
    for (const [key, value] of [
      ["http.extraHeader", "Authorization: Bearer stolen"],
      [`http.${origin}/.extraHeader`, "Authorization: Bearer stolen"],
      ["http.proxy", "http://127.0.0.1:1"],
      [`http.${origin}/.proxy`, "http://127.0.0.1:1"],
      ["remote.origin.proxy", "http://127.0.0.1:1"],
      ["http.cookieFile", marker],
      ["credential.helper", helper],
      [`credential.${origin}.helper`, helper],
      [`credential.${origin}.username`, "somebody"],
      ["core.askPass", marker],
      ["core.gitProxy", marker],
    ] as const)
      real(clone, "config", key, value);
    expect((await ours(clone, ["fetch", "-q"])).exitCode).toBe(0);
    server.fault = wants;
    const asked: unknown[] = [];
    const refused = await ours(clone, ["fetch", "-q"], {
      credentials: (request) => {
        asked.push(request);
        return null;
      },
    });
    expect(refused).toMatchObject({
      exitCode: 128,
      stderr: `fatal: could not read Username for '${origin}': terminal prompts disabled\n`,
    });
    expect(asked).toEqual([{ origin, url: `${origin}/server.git`, username: undefined, rejected: false }]);
    expect(server.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
    expect(existsSync(marker)).toBe(false);
  });

  it("credentials are looked up by the origin after insteadOf", async () => {
    server.fault = wants;
    const asked: string[] = [];
    const credentials: GitHost["credentials"] = ({ origin: from }) => {
      asked.push(from);
      return from === origin ? { username: "me", password: "secret" } : null;
    };
    const pretended = "https://pretended.example/";
    const leads = ["-c", `url.${origin}/.insteadOf=${pretended}`, "ls-remote", `${pretended}server.git`, "main"];
    expect((await ours(folder, leads, { credentials })).exitCode).toBe(0);
    expect(new Set(asked)).toEqual(new Set([origin]));

    // A repository that turns a trusted address into another place gets what that place may have: nothing.
    const clone = server.staleClone();
    real(clone, "remote", "set-url", "origin", `${pretended}server.git`);
    real(clone, "config", `url.${origin}/.insteadOf`, pretended);
    const trusted: GitHost["credentials"] = { [pretended.slice(0, -1)]: { username: "me", password: "secret" } };
    server.seen.length = 0;
    expect((await ours(clone, ["fetch"], { credentials: trusted })).exitCode).toBe(128);
    expect(server.seen.length).toBeGreaterThan(0);
    expect(server.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it("credentials may be a map by origin", async () => {
    server.fault = wants;
    const argv = ["ls-remote", `${origin}/server.git`, "main"];
    const map = { [origin]: { username: "me", password: "secret" } };
    expect((await ours(folder, argv, { credentials: map })).exitCode).toBe(0);
    for (const other of [`${origin}/`, `${origin}/server.git`, "http://127.0.0.1", "constructor"]) {
      const none = await ours(folder, argv, { credentials: { [other]: { username: "me", password: "secret" } } });
      expect(none.exitCode).toBe(128);
    }
    const wrong = await ours(folder, argv, { credentials: { [origin]: { username: "me", password: "wrong" } } });
    expect(wrong.stderr).toBe(`fatal: Authentication failed for '${origin}/server.git/'\n`);
  });

  it("failing credentials give an error that names only the origin", async () => {
    server.fault = wants;
    const credentials = () => {
      throw new Error("vault answered: secret");
    };
    const { exitCode, stderr } = await ours(folder, ["ls-remote", `${origin}/server.git`], { credentials });
    expect(stderr).toBe(`fatal: could not get credentials for '${origin}'\n`);
    expect(exitCode).toBe(128);
  });

  it("credentials are in no file and no output of any command", async () => {
    server.fault = wants;
    const credentials = () => ({ username: "me", password: "secret" });
    const reported: string[] = [];
    const run = async (cwd: string, ...argv: string[]) => {
      const { exitCode, stdout, stderr } = await ours(cwd, argv, { credentials });
      expect(exitCode).toBe(0);
      reported.push(stdout, stderr);
    };
    await run(folder, "clone", "--progress", `${origin}/server.git`, "watched");
    const clone = join(folder, "watched");
    await run(clone, "commit", "-q", "--allow-empty", "-m", "mine");
    await run(clone, "push", "-v", "origin", "HEAD:refs/heads/watched");
    await run(clone, "fetch", "-v", "--prune");
    await run(clone, "remote", "-v");
    await run(clone, "remote", "show", "origin");
    await run(clone, "config", "--list", "--show-origin");
    await run(clone, "ls-remote");
    const basic = Buffer.from("me:secret").toString("base64");
    const holds = (text: string) => text.includes("secret") || text.includes(basic);
    expect(reported.filter(holds)).toEqual([]);
    const files = readdirSync(join(clone, ".git"), { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    expect(files.length).toBeGreaterThan(5);
    const paths = files.map((file) => join(file.parentPath, file.name));
    expect(paths.filter((path) => holds(readFileSync(path, "latin1")))).toEqual([]);
    real(join(folder, "server.git"), "update-ref", "-d", "refs/heads/watched");
  });

  it("credentials in a redirect's address are ignored", async () => {
    server.fault = async (request, answer, response) => {
      if ((request.url ?? "").startsWith("/moved.git/")) {
        const to = origin.replace("//", () => "//planted:password@");
        const location = `${to}${(request.url ?? "").replace("/moved.git/", () => "/server.git/")}`;
        response.writeHead(302, { location }).end();
      } else await send(await answer(), response);
    };
    expect((await ours(folder, ["ls-remote", "-q", `${origin}/moved.git`])).exitCode).toBe(0);
    expect(server.seen.length).toBeGreaterThan(1);
    expect(server.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it("credentials are never sent from https to http", async () => {
    const asked: string[] = [];
    const secure: typeof fetch = async (input) => {
      asked.push(String(input));
      return new Response(null, { status: 302, headers: { location: String(input).replace("https:", () => "http:") } });
    };
    const credentials = () => ({ username: "me", password: "secret" });
    const { exitCode } = await ours(folder, ["ls-remote", "https://secure.example/x.git"], {
      credentials,
      fetch: secure,
    });
    expect(exitCode).toBe(128);
    expect(asked.filter((url) => url.startsWith("http:"))).toEqual([]);
    expect(asked).toHaveLength(1);
  });

  it("a redirect within the server is followed and reported", async () => {
    server.fault = async (request, answer, response) => {
      if ((request.url ?? "").startsWith("/moved.git/")) {
        response.writeHead(302, { location: (request.url ?? "").replace("/moved.git/", () => "/server.git/") }).end();
      } else await send(await answer(), response);
    };
    const { exitCode, stderr } = await ours(folder, ["ls-remote", "-q", `${origin}/moved.git`]);
    expect(stderr).toBe(`warning: redirecting to ${origin}/server.git/\n`);
    expect(exitCode).toBe(0);
  });
});
