/** A workspace made from a git address: the running Worker clones from a real `git http-backend`; and what a clone that fails leaves. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GitServer, startGitServer } from "../bench/harness/git/git-server.ts";
import { ReferenceServer } from "../support/reference-server.ts";

let folder: string;
let git: GitServer;
let server: ReferenceServer;
/** What real git says of the branch's last commit. */
let tip: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "from-git-"));
  const source = join(folder, "source");
  const real = (...argv: string[]) => {
    const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    return execFileSync("git", [...author, ...argv], { cwd: source, encoding: "utf8", stdio: "pipe" }).trim();
  };
  mkdirSync(join(source, "src"), { recursive: true });
  real("init", "-q", "--initial-branch=main");
  writeFileSync(join(source, "README.md"), "# from git\n");
  writeFileSync(join(source, "src/a.ts"), "export const a = 1;\n");
  real("add", ".");
  real("commit", "-qm", "first");
  writeFileSync(join(source, "README.md"), "# from git, again\n");
  real("commit", "-qam", "second");
  real("branch", "old", "HEAD~1");
  tip = real("rev-parse", "HEAD");
  execFileSync("git", ["clone", "-q", "--bare", source, join(folder, "project.git")]);
  git = await startGitServer(folder);
  server = await ReferenceServer.local();
});

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await git?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const post = (path: string, body: unknown) =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const gitOf = async (name: string, ...argv: string[]) =>
  ((await (await post(`/api/w/${name}/git`, { argv })).json()) as { stdout: string }).stdout.trim();
const read = async (name: string, path: string) => (await fetch(`${server.url}/api/w/${name}/files/${path}`)).text();
const names = async () => {
  const answer = await fetch(`${server.url}/api/workspaces`);
  return ((await answer.json()) as { workspaces: { name: string }[] }).workspaces.map(({ name }) => name);
};

describe("POST /api/workspaces with a git address", () => {
  it("clones the repository into the root, with its history and its remote", async () => {
    const from = { git: `${git.origin}/project.git` };
    const created = await post("/api/workspaces", { name: "cloned", from });
    expect([created.status, await created.json()]).toMatchObject([201, { name: "cloned", from }]);
    expect([await read("cloned", "README.md"), await read("cloned", "src/a.ts")]).toEqual([
      "# from git, again\n",
      "export const a = 1;\n",
    ]);
    expect(await gitOf("cloned", "rev-parse", "HEAD")).toBe(tip);
    expect(await gitOf("cloned", "log", "--format=%s")).toBe("second\nfirst");
    expect(await gitOf("cloned", "status", "--porcelain", "--branch")).toBe("## main...origin/main");
    expect(await gitOf("cloned", "remote", "get-url", "origin")).toBe(from.git);
  });

  it("takes a branch and a depth", async () => {
    const address = `${git.origin}/project.git`;
    const branch = { name: "branch", from: { git: address, branch: "old" } };
    expect((await post("/api/workspaces", branch)).status).toBe(201);
    expect(await read("branch", "README.md")).toBe("# from git\n");
    expect((await post("/api/workspaces", { name: "shallow", from: { git: address, depth: 1 } })).status).toBe(201);
    expect(await gitOf("shallow", "log", "--format=%s")).toBe("second");
  });

  it("returns git's error when the clone fails, and frees the name", async () => {
    for (const from of [
      { git: `${git.origin}/nothing.git` },
      { git: `${git.origin}/project.git`, branch: "no-such-branch" },
    ]) {
      const failed = await post("/api/workspaces", { name: "failed", from });
      expect([failed.status, await failed.json()]).toMatchObject([
        502,
        { error: { code: "UPSTREAM", message: expect.stringMatching(/not found/) } },
      ]);
      expect(await names()).not.toContain("failed");
    }
    expect((await post("/api/workspaces", { name: "failed" })).status).toBe(201);
  });

  it("refuses an address other than http, and a taken name", async () => {
    for (const address of ["file:///etc", "ssh://git@example.com/x.git", "not an address"])
      expect((await post("/api/workspaces", { name: "never", from: { git: address } })).status).toBe(400);
    expect(await names()).not.toContain("never");
    const again = await post("/api/workspaces", { name: "cloned", from: { git: `${git.origin}/project.git` } });
    expect(again.status).toBe(409);
  });
});
