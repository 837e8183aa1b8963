/** Opening and creating repositories, compared with real git on the same directory. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import type { GitHost } from "../host.ts";
import { reflogIdentity } from "./identity.ts";
import { initRepository } from "./init-repository.ts";
import { openRepository } from "./open-repository.ts";

const host: GitHost = { fs: createNodeFileSystem(), now: () => 1_700_000_000_000 };
const who = { name: "C O Mitter", email: "committer@example.com", seconds: 1_700_000_000, zone: "+0000" };

let root = "";
const env = (): Record<string, string> => ({
  GIT_CONFIG_NOSYSTEM: "1",
  HOME: root,
  LC_ALL: "C",
  TZ: "UTC",
  PATH: process.env.PATH as string,
  GIT_AUTHOR_NAME: "A U Thor",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_COMMITTER_NAME: "C O Mitter",
  GIT_COMMITTER_EMAIL: "committer@example.com",
});
const git = (cwd: string, ...argv: string[]) =>
  execFileSync("git", argv, { cwd, env: env(), encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trimEnd();

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "open-repository-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("openRepository", () => {
  it("finds the repository above the directory, its prefix and its branch", async () => {
    git(root, "init", "-q", "r");
    mkdirSync(join(root, "r/a/b"), { recursive: true });
    const repo = await openRepository(host, { cwd: join(root, "r/a/b"), env: env() });
    expect(repo).toMatchObject({ gitDir: `${root}/r/.git`, workTree: `${root}/r`, prefix: "a/b/" });
    expect(await repo.refs.read("HEAD")).toEqual({ kind: "symbolic", target: "refs/heads/master" });
    expect(await repo.refs.resolve("HEAD")).toEqual({ name: "refs/heads/master", oid: null });
  });

  it("says what git says where there is none, and stops at a ceiling", async () => {
    git(root, "init", "-q", "r");
    mkdirSync(join(root, "r/a"), { recursive: true });
    const message = "not a git repository (or any of the parent directories): .git";
    await expect(openRepository(host, { cwd: root, env: env() })).rejects.toThrow(message);
    const ceiling = { ...env(), GIT_CEILING_DIRECTORIES: `${root}/r` };
    await expect(openRepository(host, { cwd: `${root}/r/a`, env: ceiling })).rejects.toThrow(message);
    await expect(openRepository(host, { cwd: root, env: env(), gitDir: "nope" })).rejects.toThrow(
      "not a git repository: 'nope'",
    );
  });

  it("follows a .git file, takes a bare repository, and a work tree by name", async () => {
    git(root, "init", "-q", "--bare", "bare.git");
    mkdirSync(join(root, "w"));
    writeFileSync(join(root, "w/.git"), "gitdir: ../bare.git\n");
    const bare = await openRepository(host, { cwd: `${root}/bare.git/refs`, env: env() });
    expect(bare).toMatchObject({ gitDir: `${root}/bare.git`, workTree: null, prefix: "" });
    const linked = await openRepository(host, { cwd: `${root}/w`, env: env(), workTree: "." });
    expect(linked).toMatchObject({ gitDir: `${root}/bare.git`, workTree: `${root}/w` });
  });

  it("refuses a format and an extension it does not know", async () => {
    git(root, "init", "-q", "r");
    git(`${root}/r`, "config", "core.repositoryformatversion", "2");
    const open = () => openRepository(host, { cwd: `${root}/r`, env: env() });
    await expect(open()).rejects.toThrow("Expected git repo version <= 1, found 2");
    writeFileSync(`${root}/r/.git/config`, "[core]\nrepositoryformatversion=1\n[extensions]\n\tfrob = 1\n");
    await expect(open()).rejects.toThrow("unknown repository extension found:\n\tfrob");
  });

  it("updates refs and reflogs so that git sees them", async () => {
    git(root, "init", "-q", "r");
    git(`${root}/r`, "commit", "-q", "--allow-empty", "-m", "one");
    const oid = git(`${root}/r`, "rev-parse", "HEAD");
    git(`${root}/r`, "pack-refs", "--all");
    const repo = await openRepository(host, { cwd: `${root}/r`, env: env() });
    const head = await repo.refs.resolve("HEAD");
    expect(head).toEqual({ name: "refs/heads/master", oid });
    await repo.refs.update([{ name: "refs/heads/a/b", to: head?.oid ?? null, from: null, message: "branch: x" }], who);
    expect(git(`${root}/r`, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/a/b\nrefs/heads/master");
    expect(git(`${root}/r`, "reflog", "show", "a/b", "--format=%gs %gn")).toBe("branch: x C O Mitter");
    await expect(repo.refs.update([{ name: "refs/heads/a", to: head?.oid ?? null }], who)).rejects.toThrow(
      "cannot lock ref 'refs/heads/a': 'refs/heads/a/b' exists; cannot create 'refs/heads/a'",
    );
    await repo.refs.update([{ name: "refs/heads/master", to: null, noDeref: true }], who);
    expect(git(`${root}/r`, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/a/b");
    expect((await repo.refs.list()).map((ref) => ref.name)).toEqual(["refs/heads/a/b"]);
  });
});

describe("initRepository", () => {
  it("makes what git takes for its own, and reports one that exists", async () => {
    const created = await initRepository(host, { directory: `${root}/n`, initialBranch: "trunk", env: env() });
    expect(created).toMatchObject({ gitDir: `${root}/n/.git`, existed: false, branch: "trunk" });
    expect(git(`${root}/n`, "status", "--porcelain=v2", "--branch")).toContain("# branch.head trunk");
    git(root, "init", "-q", "theirs");
    const ours = git(root, "config", "--file", "n/.git/config", "--list");
    expect(ours).toBe(git(root, "config", "--file", "theirs/.git/config", "--list"));
    expect(await initRepository(host, { directory: `${root}/n`, env: env() })).toMatchObject({ existed: true });
  });
});

describe("reflogIdentity", () => {
  it("takes the environment, then the configuration, then the host", async () => {
    git(root, "init", "-q", "r");
    const repo = await openRepository(
      { ...host, identity: { name: "H", email: "h@h" } },
      {
        cwd: `${root}/r`,
        env: { HOME: root, GIT_COMMITTER_NAME: "N", GIT_COMMITTER_DATE: "2005-04-07T22:13:13 +0200" },
      },
    );
    expect(reflogIdentity(repo)).toEqual({ name: "N", email: "h@h", seconds: 1112904793, zone: "+0200" });
  });
});
