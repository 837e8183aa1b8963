/**
 * A real `git http-backend` with something in between that may break off, lie, redirect or refuse, and notes what it was sent. One
 * folder for all: `work`, the repository `server.git` made from it, and clones beside them.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitHost, runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { startGitServer } from "../../bench/harness/git/git-server.ts";

export interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

export type Fault = (
  request: IncomingMessage,
  answer: () => Promise<Answer>,
  response: ServerResponse,
) => Promise<void>;

export interface SeenRequest {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
  readonly url: string;
}

export interface FaultyServer extends AsyncDisposable {
  readonly folder: string;
  readonly origin: string;
  /** The same repositories without anything in between. */
  readonly backend: string;
  readonly seen: SeenRequest[];
  fault: Fault;
  /** A clone that is one commit behind the server. */
  staleClone(): string;
}

export const gitEnv = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
  LC_ALL: "C",
};

const fs = createNodeFileSystem();

export const real = (cwd: string, ...argv: string[]) =>
  execFileSync("git", argv, { cwd, env: gitEnv, encoding: "utf8", stdio: "pipe" });

export async function ours(cwd: string, argv: string[], host: Partial<GitHost> = {}) {
  const { exitCode, stderr, stdout } = await runCli(
    { fs, now: () => 1_700_000_000_000, fetch, ...host },
    { argv, cwd, env: gitEnv },
  );
  return { exitCode, stderr: new TextDecoder().decode(stderr), stdout: new TextDecoder().decode(stdout) };
}

export const passOn: Fault = async (_, answer, response) => send(await answer(), response);

export const isPack = ({ method, url }: IncomingMessage) =>
  method === "POST" && (url ?? "").endsWith("/git-upload-pack");

export async function send({ status, headers, body }: Answer, response: ServerResponse): Promise<void> {
  response.writeHead(status, { "content-type": headers.get("content-type") ?? "text/plain" });
  response.end(body);
}

/** The answer that holds the pack, as the real server gives it. */
export const onPack =
  (change: (answer: Answer, response: ServerResponse) => void | Promise<void>): Fault =>
  async (request, answer, response) => {
    const input = await answer();
    if (isPack(request) && Buffer.concat([input.body]).toString("latin1").includes("packfile"))
      await change(input, response);
    else await send(input, response);
  };

/** What must not change when something fails: refs, packs, what is there and whole, the work tree. */
export function stateOf(clone: string): string {
  const packs = readdirSync(join(clone, ".git", "objects", "pack")).filter((name) => !name.endsWith(".rev"));
  return [
    real(clone, "for-each-ref"),
    packs.sort().join("\n"),
    real(clone, "fsck", "--full"),
    real(clone, "status", "--porcelain"),
  ].join("\n");
}

export async function startFaultyServer(): Promise<FaultyServer> {
  const folder = mkdtempSync(join(tmpdir(), "git-faults-"));
  const work = join(folder, "work");
  mkdirSync(work);
  real(work, "init", "-q", "-b", "main");
  for (let i = 0; i < 30; i++) writeFileSync(join(work, `file-${i}.txt`), `${i} ${"content ".repeat(i * 50)}\n`);
  real(work, "add", ".");
  real(work, "commit", "-q", "-m", "first");
  real(folder, "clone", "-q", "--bare", work, "server.git");
  real(join(folder, "server.git"), "config", "http.receivepack", "true");
  const backend = await startGitServer(folder);
  const seen: SeenRequest[] = [];
  let count = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization, host } = request.headers;
    seen.push({ authorization, host, url: request.url ?? "" });
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const answer = async (): Promise<Answer> => {
      const headers: Record<string, string> = {};
      for (const name of ["content-type", "git-protocol"])
        if (request.headers[name]) headers[name] = String(request.headers[name]);
      const body = request.method === "POST" ? { body: Buffer.concat(parts) } : {};
      const init = { method: request.method ?? "GET", headers, ...body };
      const input = await fetch(`${backend.origin}${request.url}`, init as RequestInit);
      return { status: input.status, headers: input.headers, body: Buffer.from(await input.arrayBuffer()) };
    };
    await server.fault(request, answer, response);
  };
  const proxy = createServer((request, response) => void serve(request, response));
  // A process that has to wait for the machine may find a connection closed that it was about to use.
  proxy.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));

  const server: FaultyServer = {
    folder,
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    backend: backend.origin,
    seen,
    fault: passOn,
    staleClone() {
      const clone = join(folder, `clone-${count++}`);
      // By path: real git must not wait for a server in the process that waits for it.
      real(folder, "clone", "-q", "--no-hardlinks", join(folder, "server.git"), clone);
      real(clone, "remote", "set-url", "origin", `${server.origin}/server.git`);
      writeFileSync(join(work, "new.txt"), `new ${count}\n${"more\n".repeat(2000)}`);
      real(work, "add", ".");
      real(work, "commit", "-q", "-m", `next ${count}`);
      real(work, "push", "-q", join(folder, "server.git"), "main");
      return clone;
    },
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await backend[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}
