/**
 * Plays commands of fetching and pushing with real git and with ours, each against a repository of its own on a real `git http-backend` on
 * loopback, and tells what was printed, the exit codes and what the repositories on both sides came to.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GitServer, startGitServer } from "../../bench/harness/git/git-server.ts";

export type Side = "real" | "ours";
/** A command in the clone, or a change on the server's side by real git. */
export type Step = string | { at: "server" | "clone" | "beside"; run: string } | { write: Record<string, string> };

/** A busy machine takes its time to let go of connections. */
const HOOK_MS = 60_000;
const fs = createNodeFileSystem();
export let folder: string;
export let server: GitServer;
/** One that speaks only the first protocol. */
let old: GitServer;

export const environment = (clock: number) => ({
  PATH: process.env.PATH ?? "",
  HOME: join(folder, "home"),
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  LC_ALL: "C",
  TZ: "UTC",
  GIT_AUTHOR_NAME: "A U Thor",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_COMMITTER_NAME: "C O Mitter",
  GIT_COMMITTER_EMAIL: "committer@example.com",
  GIT_AUTHOR_DATE: `${1_700_000_000 + clock * 60} +0000`,
  GIT_COMMITTER_DATE: `${1_700_000_000 + clock * 60} +0000`,
});

/** To be called once in a file that plays. */
export function startServers(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "git-transport-"));
    mkdirSync(join(folder, "home"));
    server = await startGitServer(folder);
    old = await startGitServer(folder, { newProtocols: false });
  }, HOOK_MS);

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await old[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  }, HOOK_MS);
}

interface TransportOutput {
  step: string;
  exitCode: number;
  stdout: string;
  stderr: string;
}

async function runGit(side: Side, cwd: string, argv: string[], clock: number): Promise<Omit<TransportOutput, "step">> {
  const env = environment(clock);
  if (side === "ours") {
    const host = { fs, now: () => (1_700_000_000 + clock * 60) * 1000, fetch };
    const { exitCode, stdout, stderr } = await runCli(host, { argv, cwd, env });
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { exitCode, stdout: text(stdout), stderr: text(stderr) };
  }
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const child = spawn("git", argv, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data) => (stdout += data));
    child.stderr.on("data", (data) => (stderr += data));
    child.on("close", (exitCode) => resolve({ exitCode: exitCode ?? -1, stdout, stderr }));
  });
}

const split = (line: string) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, () => ""));

/** An address that names the client. */
const withSecret = (origin: string, password = "secret") => origin.replace("//", () => `//user:${password}@`);

/** What is the same but for the folder, the port and how fast it went. */
function plain(text: string, side: Side, name: string): string {
  return text
    .replaceAll(join(folder, side, name), () => "<root>")
    .replaceAll(`${server.origin}/${side}/${name}`, () => "<server>")
    .replaceAll(`${withSecret(server.origin)}/${side}/${name}`, () => "<secret>")
    .replaceAll(`${withSecret(server.origin, "<redacted>")}/${side}/${name}`, () => "<redacted>")
    .replaceAll(`${old.origin}/${side}/${name}`, () => "<old>")
    .replace(/ \| [\d.]+ [KMG]?i?B(?:ytes)?\/s/g, () => "");
}

async function play(side: Side, name: string, steps: readonly Step[]) {
  const root = join(folder, side, name);
  mkdirSync(root, { recursive: true });
  const clone = join(root, "clone");
  const reported: TransportOutput[] = [];
  let clock = 0;
  for (const step of steps) {
    clock++;
    if (typeof step === "object" && "write" in step) {
      for (const [path, text] of Object.entries(step.write)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      continue;
    }
    const line = (typeof step === "string" ? step : step.run)
      .replaceAll("<root>", () => root)
      .replaceAll("<server>", () => `${server.origin}/${side}/${name}`)
      .replaceAll("<secret>", () => `${withSecret(server.origin)}/${side}/${name}`)
      .replaceAll("<old>", () => `${old.origin}/${side}/${name}`);
    const argv = split(line);
    if (typeof step === "string") {
      const cwd = argv.includes("clone") && !argv.includes("remote") ? root : clone;
      const result = await runGit(side, cwd, argv, clock);
      reported.push({
        step,
        exitCode: result.exitCode,
        stdout: plain(result.stdout, side, name),
        stderr: plain(result.stderr, side, name),
      });
    } else {
      const cwd = step.at === "clone" ? clone : join(root, step.at === "server" ? "server.git" : "beside");
      mkdirSync(cwd, { recursive: true });
      execFileSync("git", argv, { cwd, env: environment(clock), stdio: "pipe" });
    }
  }
  return {
    reported,
    state: [stateOf(clone), stateOf(join(root, "server.git"))].map((text) => plain(text, side, name)),
  };
}

function stateOf(repository: string): string {
  const git = (...argv: string[]) => {
    try {
      return execFileSync("git", argv, { cwd: repository, env: environment(0), encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      return `failed: ${(error as { stderr?: string }).stderr}`;
    }
  };
  const shallow = (() => {
    try {
      return execFileSync("cat", [join(repository, ".git", "shallow")], { encoding: "utf8", stdio: "pipe" });
    } catch {
      return "";
    }
  })();
  const fetchHead = (() => {
    try {
      return execFileSync("cat", [join(repository, ".git", "FETCH_HEAD")], { encoding: "utf8", stdio: "pipe" });
    } catch {
      return "";
    }
  })();
  return [
    git("fsck", "--strict"),
    git("for-each-ref"),
    git("symbolic-ref", "HEAD"),
    git("log", "--all", "--oneline", "--graph"),
    git("config", "--local", "--list"),
    git("status", "--porcelain=v2", "--branch"),
    shallow,
    fetchHead,
  ].join("\n---\n");
}

export const start: Step[] = [
  { at: "server", run: "init -q --bare -b main ." },
  { at: "server", run: "config http.receivepack true" },
  { at: "beside", run: "init -q -b main ." },
  { write: { "beside/a.txt": "one\n", "beside/dir/b.txt": "b\n" } },
  { at: "beside", run: "add ." },
  { at: "beside", run: "commit -q -m first" },
  { at: "beside", run: "tag v1" },
  { write: { "beside/a.txt": "two\n" } },
  { at: "beside", run: "commit -q -a -m second" },
  { at: "beside", run: "branch side HEAD~1" },
  { at: "beside", run: "tag -a -m 'version two' v2" },
  { at: "beside", run: "push -q ../server.git main side v1 v2" },
];

export const more: Step[] = [
  { write: { "beside/a.txt": "three\n" } },
  { at: "beside", run: "commit -q -a -m third" },
  { at: "beside", run: "tag v3" },
  { at: "beside", run: "branch new" },
  { at: "beside", run: "push -q ../server.git main new v3 :side" },
];

/** One command outside of any repository. */
export async function printBoth(argv: string[]) {
  return [await runGit("real", folder, argv, 1), await runGit("ours", folder, argv, 1)];
}

export function compareAll(scenarios: Readonly<Record<string, readonly Step[]>>): void {
  describe.each(Object.entries(scenarios))("%s", (name, steps) => {
    it("answers as real git", async () => {
      const folderName = name.replace(/\W+/g, () => "-");
      const [real, ours] = [await play("real", folderName, steps), await play("ours", folderName, steps)];
      expect(ours.reported).toEqual(real.reported);
      expect(ours.state).toEqual(real.state);
    });
  });
}
