/**
 * A real git server on loopback that records what it is asked, for tests in workerd that must not reach it, or must not send it
 * everything. Its repository `open.git` takes pushes from anyone. `/` is its address, `/requests` what it was asked since the last
 * time, and `/contents` every object that it holds, as text.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startGitServer } from "../../bench/harness/git/git-server.ts";
import { gitEnvironment } from "../../bench/harness/git/run-git.ts";

let started: Promise<{ origin: string; repository: string }> | undefined;
let requests: string[] = [];

export async function recordingGitServer(request: Request): Promise<Response> {
  started ??= start();
  const { origin, repository } = await started;
  const { pathname } = new URL(request.url);
  if (pathname === "/contents") return new Response(contents(repository));
  if (pathname !== "/requests") return new Response(origin);
  const recorded = requests;
  requests = [];
  return Response.json(recorded);
}

async function start(): Promise<{ origin: string; repository: string }> {
  const folder = mkdtempSync(join(tmpdir(), "recording-git-server-"));
  process.on("exit", () => execFileSync("rm", ["-rf", folder]));
  const repository = join(folder, "open.git");
  const git = (...argv: string[]) => execFileSync("git", argv, { env: gitEnvironment, stdio: "pipe" });
  git("init", "-q", "--bare", "-b", "main", repository);
  git("-C", repository, "config", "http.receivepack", "true");
  const { origin } = await startGitServer(folder, { onRequest: (line) => requests.push(line) });
  return { origin, repository };
}

function contents(repository: string): Uint8Array<ArrayBuffer> {
  const argv = ["-C", repository, "cat-file", "--batch-all-objects", "--batch"];
  return new Uint8Array(execFileSync("git", argv, { env: gitEnvironment, maxBuffer: 256 * 1024 * 1024 }));
}
