/** What is never done here says so, says what to do instead, and changes nothing. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import type { GitHost } from "../host.ts";
import { runCli } from "./run-cli.ts";

const env = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
let root: string;

const real = (...argv: string[]) => execFileSync("git", argv, { cwd: root, env, encoding: "utf8" });
const state = () => real("for-each-ref") + real("status", "--porcelain=v2") + real("log", "--all", "--format=%H");

async function ours(argv: string[], more: Record<string, string> = {}, host: Partial<GitHost> = {}) {
  const { exitCode, stdout, stderr } = await runCli(
    { fs: createNodeFileSystem(), now: () => 1_700_000_000_000, ...host },
    { argv, cwd: root, env: { ...env, ...more } },
  );
  return { exitCode, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "git-refusals-"));
  real("init", "-q", "-b", "main");
  writeFileSync(join(root, "a"), "1\n");
  real("add", "a");
  real("commit", "-q", "-m", "first");
  writeFileSync(join(root, "a"), "2\n");
  real("add", "a");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("hooks", () => {
  const hook = (name: string) => {
    const path = join(root, ".git", "hooks", name);
    mkdirSync(join(root, ".git", "hooks"), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ntouch ${join(root, "ran")}\n`);
    chmodSync(path, 0o755);
  };

  it.each(["pre-commit", "commit-msg"])("%s stops a commit that does not say --no-verify", async (name) => {
    hook(name);
    const before = state();
    expect(await ours(["commit", "-m", "second"])).toMatchObject({
      exitCode: 128,
      stderr: `fatal: the '${name}' hook cannot be run here; use --no-verify to commit without it\n`,
    });
    expect(state()).toBe(before);
    expect((await ours(["commit", "-q", "--no-verify", "-m", "second"])).exitCode).toBe(0);
    expect(real("status", "--porcelain")).toBe("");
  });

  it("that come after a commit are told of, and not run", async () => {
    hook("post-commit");
    const { exitCode, stderr } = await ours(["commit", "-q", "-m", "second"]);
    expect([exitCode, stderr]).toEqual([
      0,
      "warning: the 'post-commit' hook was not run: hooks are not supported here\n",
    ]);
    expect(real("status", "--porcelain")).toBe("");
  });
});

const refused: [string, string[], RegExp][] = [
  ["a signed commit", ["commit", "-S", "-m", "x"], /signing commits is not supported here; commit without -S/],
  ["commits signed by configuration", ["-c", "commit.gpgSign=true", "commit", "-m", "x"], /sign/],
  ["a signed tag", ["tag", "-s", "-m", "x", "v1"], /sign/],
  ["tags signed by configuration", ["-c", "tag.gpgSign=true", "tag", "-m", "x", "v1"], /sign/],
  ["checking a tag's signature", ["tag", "-v", "v1"], /./],
  ["a signed merge", ["merge", "-S", "HEAD"], /sign/],
  ["a signed rebase", ["rebase", "-S", "HEAD"], /sign/],
  ["ssh", ["fetch", "ssh://git@example.com/x.git"], /ssh is not supported here: use the https address/],
  ["ssh, as scp writes it", ["fetch", "git@example.com:x.git"], /ssh is not supported here: use the https address/],
  ["git://", ["fetch", "git://example.com/x.git"], /use https/],
  ["a program as transport", ["fetch", "ext::sh -c id"], /not supported here/],
  ["no network", ["fetch", "https://example.com/x.git"], /this workspace has no network/],
  ["an editor for a message", ["commit"], /-m or -F/],
  ["an editor for a tag", ["tag", "-a", "v1"], /-m or -F/],
  ["an editor for the configuration", ["config", "--edit"], /git config <name> <value>/],
  ["an editor for a todo list", ["rebase", "-i", "--root"], /GIT_SEQUENCE_EDITOR=: .*--autosquash.*--todo-from-stdin/s],
  ["an editor for an amended message", ["commit", "--amend"], /-m or -F, or set GIT_EDITOR=true/],
  ["an editor for the message of a revert", ["revert", "--edit", "HEAD"], /--no-edit/],
  ["hunks by hand", ["add", "-p"], /git apply --cached/],
  ["hunks by hand, to commit", ["commit", "-p"], /git apply --cached/],
  ["hunks by hand, to put away", ["stash", "-p"], /./],
  ["questions about each file", ["clean", "-i"], /-n, then -f/],
  ["an alias that is a program", ["-c", "alias.x=!id", "x"], /alias/],
  ["bisecting", ["bisect", "start"], /git bisect is not supported here/],
  ["another work tree", ["worktree", "add", "../x"], /git worktree is not supported here/],
  ["submodules", ["submodule", "update", "--init"], /git submodule is not supported here/],
];

describe("refused", () => {
  it.each(refused)("%s", async (_, argv, message) => {
    const before = state();
    // One that would leave a trace: nothing may start it.
    const editor = `touch ${join(root, "ran")}`;
    const { exitCode, stdout, stderr } = await ours(argv, { GIT_EDITOR: editor, GIT_SEQUENCE_EDITOR: editor });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^(fatal|error): /m);
    expect([1, 128]).toContain(exitCode);
    expect(stdout).toBe("");
    expect(state()).toBe(before);
  });
});

describe("identity", () => {
  const nobody = {
    GIT_AUTHOR_NAME: "",
    GIT_AUTHOR_EMAIL: "",
    GIT_COMMITTER_NAME: "",
    GIT_COMMITTER_EMAIL: "",
  };
  const unset = Object.fromEntries(Object.entries(env).filter(([name]) => !(name in nobody)));
  const who = async (host: Partial<GitHost>, more: Record<string, string>, argv: string[] = []) => {
    const { exitCode, stderr } = await runCli(
      { fs: createNodeFileSystem(), now: () => 1_700_000_000_000, ...host },
      { argv: ["commit", "-q", "--allow-empty", "-m", "x", ...argv], cwd: root, env: { ...unset, ...more } },
    );
    expect([exitCode, new TextDecoder().decode(stderr)]).toEqual([0, ""]);
    return real("log", "-1", "--format=%an <%ae> %cn <%ce>").trim();
  };
  const host = { identity: { name: "Host", email: "host@example.com" } };

  it("is the workspace's, then configuration's, then the environment's, then the flag's", async () => {
    expect(await who(host, {})).toBe("Host <host@example.com> Host <host@example.com>");
    real("config", "user.name", "Config");
    real("config", "user.email", "config@example.com");
    expect(await who(host, {})).toBe("Config <config@example.com> Config <config@example.com>");
    const author = { GIT_AUTHOR_NAME: "Env", GIT_AUTHOR_EMAIL: "env@example.com" };
    expect(await who(host, author)).toBe("Env <env@example.com> Config <config@example.com>");
    expect(await who(host, author, ["--author=Flag <flag@example.com>"])).toBe(
      "Flag <flag@example.com> Config <config@example.com>",
    );
  });

  it("of nobody is git's refusal", async () => {
    const { exitCode, stderr } = await ours(["commit", "-m", "x"], nobody);
    expect(stderr).toMatch(/empty ident name|Please tell me who you are/);
    expect(exitCode).toBe(128);
  });
});
