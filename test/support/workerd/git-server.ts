/**
 * A real git server for tests in workerd: requests go to `git http-backend`. Its one repository, `large.git`, has a file that does not
 * compress, so that its pack is larger than what the file system stores in one piece.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitServer, startGitServer } from "../../bench/harness/git/git-server.ts";
import { gitEnvironment } from "../../bench/harness/git/run-git.ts";

const LARGE_BYTES = 5 * 1024 * 1024;
let started: Promise<GitServer> | undefined;

export async function gitServer(request: Request): Promise<Response> {
  started ??= start();
  const { pathname, search } = new URL(request.url);
  const { origin } = await started;
  // For clients with an HTTP transport of their own.
  if (pathname === "/") return new Response(origin);
  const body = request.body === null ? null : await request.arrayBuffer();
  return fetch(`${origin}${pathname}${search}`, { method: request.method, headers: request.headers, body });
}

function start(): Promise<GitServer> {
  const folder = mkdtempSync(join(tmpdir(), "git-server-"));
  process.on("exit", () => execFileSync("rm", ["-rf", folder]));
  const work = join(folder, "work");
  mkdirSync(join(work, "docs"), { recursive: true });
  const git = (...argv: string[]) => execFileSync("git", argv, { cwd: work, env: gitEnvironment, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  writeFileSync(join(work, "README.md"), "# large\n");
  writeFileSync(join(work, "docs/a.txt"), "a\n");
  writeFileSync(join(work, "large.bin"), largeBytes());
  git("add", ".");
  git("commit", "-qm", "large");
  git("clone", "-q", "--bare", ".", "../large.git");
  return startGitServer(folder);
}

/** Bytes of a linear congruential generator, the same in every run. */
export function largeBytes(): Uint8Array {
  const bytes = new Uint8Array(LARGE_BYTES);
  let state = 12345;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[i] = state >>> 16;
  }
  return bytes;
}
