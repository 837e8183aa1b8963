/** Unsupported operations report so, name an alternative, and change nothing. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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

const real = (...argv: string[]) => execFileSync("git", argv, { cwd: root, env, encoding: "utf8", stdio: "pipe" });
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

  /** Branches to merge, rebase and pick from, a remote to push to, and nothing staged. */
  const branches = () => {
    real("commit", "-q", "-m", "second");
    real("switch", "-q", "-c", "side", "HEAD~1");
    writeFileSync(join(root, "b"), "b\n");
    real("add", "b");
    real("commit", "-q", "-m", "side");
    real("switch", "-q", "main");
    real("branch", "ahead");
    real("switch", "-q", "ahead");
    real("commit", "-q", "--allow-empty", "-m", "ahead");
    real("switch", "-q", "main");
    real("init", "-q", "--bare", "remote.git");
    real("remote", "add", "origin", "./remote.git");
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

  it.each([
    ["pre-merge-commit", "merge", ["merge", "--no-edit", "side"]],
    ["commit-msg", "commit", ["merge", "--no-edit", "side"]],
    ["pre-merge-commit", "merge", ["pull", "-q", "--no-rebase", "--no-edit", ".", "side"]],
    ["pre-rebase", "rebase", ["rebase", "side"]],
    ["pre-rebase", "rebase", ["pull", "-q", "--rebase", ".", "side"]],
    ["pre-push", "push", ["push", "-q", "origin", "main"]],
  ])("%s stops what does not say --no-verify: %s, %j", async (name, verb, argv) => {
    branches();
    hook(name);
    const before = state();
    const { exitCode, stderr } = await ours(argv);
    expect(stderr).toContain(`fatal: the '${name}' hook cannot be run here; use --no-verify to ${verb} without it\n`);
    expect(exitCode).toBe(128);
    expect(state()).toBe(before);
    expect(await ours([...argv, "--no-verify"])).toMatchObject({ exitCode: 0 });
    expect(await ours(["-c", "core.hooksPath=/dev/null", ...argv])).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ["commit", "-q", "-m", "x", "--allow-empty"],
    ["switch", "-q", "side"],
    ["checkout", "-q", "-b", "new"],
    ["reset", "-q", "--hard", "HEAD~1"],
    ["merge", "-q", "ahead"],
    ["merge", "-q", "--no-edit", "side"],
    ["rebase", "-q", "side"],
    ["cherry-pick", "side"],
    ["branch", "new"],
    ["branch", "-D", "side"],
    ["tag", "v1"],
    ["update-ref", "refs/heads/new", "HEAD"],
    ["stash", "-q", "--include-untracked"],
    ["fetch", "-q", ".", "side:new"],
  ])("reference-transaction stops whatever moves a ref: %s %s %s %s %s", async (...argv) => {
    branches();
    if (argv[0] === "stash") writeFileSync(join(root, "a"), "edited\n");
    hook("reference-transaction");
    const hidden = () => real("-c", "core.hooksPath=/dev/null", "status", "--porcelain=v2") + real("for-each-ref");
    const before = hidden();
    const { exitCode, stderr } = await ours(argv.filter((word) => word !== undefined));
    expect(stderr).toContain("the 'reference-transaction' hook cannot be run here");
    expect(stderr).toContain("core.hooksPath=/dev/null");
    expect(exitCode).not.toBe(0);
    expect(hidden()).toBe(before);
  });

  it.each([
    ["post-commit", ["commit", "-q", "--allow-empty", "-m", "x"]],
    ["prepare-commit-msg", ["commit", "-q", "--allow-empty", "-m", "x"]],
    ["post-rewrite", ["commit", "-q", "--amend", "-m", "x"]],
    ["post-rewrite", ["rebase", "-q", "side"]],
    ["post-checkout", ["switch", "-q", "side"]],
    ["post-checkout", ["checkout", "-q", "-b", "new"]],
    ["post-checkout", ["checkout", "-q", "side", "--", "b"]],
    ["post-merge", ["merge", "-q", "ahead"]],
    ["post-merge", ["merge", "-q", "--no-edit", "side"]],
    ["post-merge", ["pull", "-q", ".", "ahead"]],
    ["post-commit", ["cherry-pick", "side"]],
    ["post-commit", ["revert", "--no-edit", "HEAD"]],
  ])("warns that the %s hook was not run: %j", async (name, argv) => {
    branches();
    hook(name);
    const { exitCode, stderr } = await ours(argv);
    expect([exitCode, stderr]).toEqual([0, `warning: the '${name}' hook was not run: hooks are not supported here\n`]);
  });

  it("pre-auto-gc stops an automatic gc, and no other", async () => {
    branches();
    hook("pre-auto-gc");
    for (const message of ["x", "y"]) {
      real("repack", "-q");
      real("commit", "-q", "--allow-empty", "-m", message);
    }
    real("repack", "-q");
    const argv = ["-c", "gc.autoPackLimit=1", "gc", "-q"];
    const stderr = expect.stringContaining("the 'pre-auto-gc' hook cannot be run here; use -c core.hooksPath=");
    expect(await ours([...argv, "--auto"])).toMatchObject({ exitCode: 128, stderr });
    expect(await ours(argv)).toMatchObject({ exitCode: 0 });
  });

  it("are found where core.hooksPath says, through links, and not in sample files", async () => {
    branches();
    mkdirSync(join(root, "own"));
    writeFileSync(join(root, "own/script"), "#!/bin/sh\n");
    chmodSync(join(root, "own/script"), 0o755);
    symlinkSync("script", join(root, "own/pre-push"));
    writeFileSync(join(root, "own/pre-rebase.sample"), "#!/bin/sh\n");
    chmodSync(join(root, "own/pre-rebase.sample"), 0o755);
    for (const path of ["own", join(root, "own")])
      expect(await ours(["-c", `core.hooksPath=${path}`, "push", "-q", "origin", "main"])).toMatchObject({
        exitCode: 128,
      });
    expect(await ours(["-c", "core.hooksPath=own", "rebase", "-q", "ahead"])).toMatchObject({ exitCode: 0 });
    chmodSync(join(root, "own/script"), 0o644);
    const { exitCode, stderr } = await ours(["-c", "core.hooksPath=own", "push", "-q", "origin", "main"]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain("hint: The 'own/pre-push' hook was ignored because it's not set as executable.\n");
  });
});

describe("programs that a repository names", () => {
  /** Two sides of "m.x", which has a merge driver; HEAD is main, and nothing is staged. */
  const sides = (driver: string | null) => {
    writeFileSync(join(root, ".gitattributes"), "*.x merge=own\n");
    writeFileSync(join(root, "m.x"), "base\n");
    real("add", ".");
    real("commit", "-q", "-m", "base");
    for (const side of ["side", "main"]) {
      if (side === "side") real("switch", "-q", "-c", "side");
      else real("switch", "-q", "main");
      writeFileSync(join(root, "m.x"), `${side}\n`);
      real("commit", "-q", "-am", side);
    }
    if (driver !== null) real("config", "merge.own.driver", driver);
  };
  const run: GitHost["run"] = async ({ command, cwd }) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd });
    return { exitCode: status ?? 128, stdout, stderr };
  };

  it.each([
    ["merge", "--no-edit", "side"],
    ["cherry-pick", "side"],
    ["checkout", "-q", "-m", "side"],
  ])("a merge driver is refused where nothing can run it: %s", async (...argv) => {
    sides("true");
    if (argv[0] === "checkout") writeFileSync(join(root, "m.x"), "edited\n");
    const before = state();
    const { exitCode, stderr } = await ours(argv);
    expect([exitCode, stderr]).toEqual([
      128,
      expect.stringContaining("the merge driver 'own' of m.x cannot be run here"),
    ]);
    expect(state()).toBe(before);
    expect(readFileSync(join(root, "m.x"), "utf8")).toBe(argv[0] === "checkout" ? "edited\n" : "main\n");
  });

  it("a merge driver that is refused in a rebase leaves its commit in the list", async () => {
    sides("cat %B >> %A");
    expect(await ours(["rebase", "side"])).toMatchObject({ exitCode: 128 });
    expect(readFileSync(join(root, ".git/rebase-merge/git-rebase-todo"), "utf8")).toContain(" main\n");
    expect(await ours(["rebase", "--continue"], {}, { run })).toMatchObject({ exitCode: 0 });
    expect(real("log", "--format=%s").split("\n").slice(0, 2)).toEqual(["main", "side"]);
  });

  it.each([
    ["cat %B >> %A; echo %L %P", "main\nside\n", 0],
    ["cat %O %A %B > all; mv all %A; exit 1", "base\nmain\nside\n", 1],
    ["exit 200", "main\n", 1],
  ])("a merge driver runs where the host has a shell, as with git: %s", async (driver, content, exitCode) => {
    sides(driver);
    const answer = await ours(["merge", "--no-edit", "side"], {}, { run });
    expect([answer.exitCode, readFileSync(join(root, "m.x"), "utf8")]).toEqual([exitCode, content]);
    const after = state();
    expect(readdirSync(root).filter((name) => name.startsWith(".merge_file"))).toEqual([]);
    real("reset", "-q", "--hard", "ORIG_HEAD");
    const { status } = spawnSync("git", ["merge", "--no-edit", "side"], { cwd: root, env });
    expect([status, readFileSync(join(root, "m.x"), "utf8"), state().replaceAll(/[0-9a-f]{40}/g, "")]).toEqual([
      exitCode,
      content,
      after.replaceAll(/[0-9a-f]{40}/g, ""),
    ]);
  });

  it("warns once about a filter that is not required, and refuses one that is required", async () => {
    real("commit", "-q", "-m", "second");
    writeFileSync(join(root, ".gitattributes"), "*.f filter=own\n");
    for (const name of ["one.f", "two.f"]) writeFileSync(join(root, name), "x\n");
    const quiet = await ours(["add", "."]);
    expect(quiet).toMatchObject({ exitCode: 0, stderr: "" });
    real("reset", "-q");
    real("config", "filter.own.clean", "tr x y");
    const { exitCode, stderr } = await ours(["add", "."]);
    expect([exitCode, stderr]).toEqual([
      0,
      "warning: the clean filter 'own' was not run: filters are not supported here; 'one.f' is taken as it is\n",
    ]);
    real("-c", "filter.own.clean=cat", "commit", "-q", "-m", "filtered");
    real("config", "filter.own.smudge", "tr x z");
    for (const name of ["one.f", "two.f"]) rmSync(join(root, name));
    expect(await ours(["checkout", "-q", "."])).toMatchObject({
      exitCode: 0,
      stderr:
        "warning: the smudge filter 'own' was not run: filters are not supported here; 'one.f' is taken as it is\n",
    });
    real("config", "filter.own.required", "true");
    rmSync(join(root, "one.f"));
    expect(await ours(["checkout", "-q", "."])).toMatchObject({ exitCode: 128 });
    writeFileSync(join(root, "one.f"), "new\n");
    const before = real("ls-files", "-s");
    expect(await ours(["add", "."])).toMatchObject({ exitCode: 128 });
    expect(real("ls-files", "-s")).toBe(before);
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
  ["an editor for a todo list", ["rebase", "-i", "--root"], /GIT_SEQUENCE_EDITOR=: .*--autosquash.*git\.rebase\(/s],
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
    // An editor that would leave a trace: nothing may start it.
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
  const unsetIdentity = {
    GIT_AUTHOR_NAME: "",
    GIT_AUTHOR_EMAIL: "",
    GIT_COMMITTER_NAME: "",
    GIT_COMMITTER_EMAIL: "",
  };
  const unset = Object.fromEntries(Object.entries(env).filter(([name]) => !(name in unsetIdentity)));
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

  it("without an identity, refuses as git does", async () => {
    const { exitCode, stderr } = await ours(["commit", "-m", "x"], unsetIdentity);
    expect(stderr).toMatch(/empty ident name|Please tell me who you are/);
    expect(exitCode).toBe(128);
  });
});
