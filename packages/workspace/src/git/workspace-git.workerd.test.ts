import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace } from "@cloudflare/workspace";
import { Workspace as Core } from "@cloudflare/workspace/core";
import { createGit, GitError } from "@cloudflare/workspace/git";
import { describe, expect, it } from "vitest";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function inStorage<T>(name: string, body: (storage: DurableObjectStorage) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(name), (_, { storage }) => body(storage));
}

describe("workspace.git", () => {
  it("runs in the workspace's root and logs one call id for each command", async () => {
    await inStorage("git in a workspace", async (storage) => {
      const workspace = new Workspace({ storage });
      const { exitCode, stdout } = await workspace.git.cli({ argv: ["init"] });
      expect([exitCode, text(stdout)]).toEqual([0, "Initialized empty Git repository in /workspace/.git/\n"]);
      const { changes } = await workspace.fs.changes();
      const created = changes.filter(({ path }) => path.startsWith("/workspace/.git"));
      expect(new Set(created.map(({ callId }) => callId)).size).toBe(1);
      expect(created[0]?.callId).toMatch(/^git-/);
    });
  });

  it("keeps the caller's own call id", async () => {
    await inStorage("git with a call id", async (storage) => {
      const workspace = new Workspace({ storage }).as({ actor: "agent", callId: "call 7" });
      await workspace.git.cli({ argv: ["init", "-q"] });
      const { changes } = await workspace.fs.changes({ path: "/workspace/.git/HEAD" });
      expect(changes.map(({ actor, callId }) => [actor, callId])).toContainEqual(["agent", "call 7"]);
    });
  });

  it("runs the commands of a rebase in the workspace's shell, git among them, from the typed API and the command line", async () => {
    await inStorage("git rebase --exec", async (storage) => {
      const workspace = new Workspace({ storage });
      const git = async (...argv: string[]) => {
        const { exitCode, stdout, stderr } = await workspace.git.cli({ argv });
        return { exitCode, stdout: text(stdout), stderr: text(stderr) };
      };
      await git("init", "-q", "-b", "main");
      for (const name of ["one", "two", "three"]) {
        await workspace.fs.writeFile(`/workspace/${name}`, `${name}\n`);
        await git("add", ".");
        await git("commit", "-q", "-m", name);
      }
      const reported = await git("rebase", "--exec", "git log -1 --format=%s; ls | wc -l", "HEAD~2");
      expect(reported).toMatchObject({ exitCode: 0, stdout: "two\n2\nthree\n3\n" });
      const failed = await git("rebase", "--exec", "test -e three", "HEAD~2");
      expect(failed.exitCode).toBe(1);
      expect(failed.stderr).toContain("warning: execution failed: test -e three\n");
      await git("rebase", "--abort");
      const handle = await workspace.shell.exec(
        "git rebase -q --exec 'git rev-parse --abbrev-ref HEAD; cat one' HEAD~1",
        {
          encoding: "utf8",
        },
      );
      expect(await handle.result()).toMatchObject({ exitCode: 0, stdout: "HEAD\none\n" });
    });
    await inStorage("git rebase --exec without a shell", async (storage) => {
      const { git } = new Core({ storage, git: createGit });
      await git.cli({ argv: ["init", "-q"] });
      await git.commit({ message: "one", allowEmpty: true });
      const { exitCode, stderr } = await git.cli({ argv: ["rebase", "--exec", "true", "--root"] });
      expect([exitCode, text(stderr)]).toEqual([128, expect.stringContaining("commands are not run here")]);
    });
  });

  it("is what core is given, and says so when it is not", async () => {
    await inStorage("core without git", async (storage) => {
      await expect(new Core({ storage }).git.cli({ argv: ["version"] })).rejects.toThrow("made without git");
    });
    await inStorage("core with git", async (storage) => {
      const { stdout } = await new Core({ storage, git: createGit }).git.cli({ argv: ["version"] });
      expect(text(stdout)).toBe("git version 2.39.5\n");
    });
  });

  it("answers over RPC as inside", async () => {
    using ws = getWorkspace(env.WORKSPACE, "git over rpc");
    await ws.git.cli({ argv: ["init", "-q"] });
    await ws.fs.writeFile("/workspace/a.txt", "hello\n");
    const status = await ws.git.cli({ argv: ["status", "--short"], cwd: "/workspace", env: { LC_ALL: "C" } });
    expect([status.exitCode, text(status.stdout), text(status.stderr)]).toEqual([0, "?? a.txt\n", ""]);
    const large = await ws.git.cli({ argv: ["stripspace"], stdin: "x".repeat(3_000_000) });
    expect(large.stdout.length).toBe(3_000_001);
    const stream = new Blob(["a.txt\n", "x.log\n"]).stream();
    const checked = await ws.git.cli({ argv: ["check-attr", "--stdin", "text"], stdin: stream });
    expect(text(checked.stdout)).toBe("a.txt: text: unspecified\nx.log: text: unspecified\n");
    await ws.git.add({ paths: ["a.txt"] });
    const { oid } = await ws.git.commit({ message: "over the wire" });
    expect(await ws.git.log({ maxCount: 1 })).toMatchObject([
      { oid, subject: "over the wire", author: { name: "Workspace", email: "workspace@localhost" } },
    ]);
    expect(text(await ws.git.read({ path: "a.txt" }))).toBe("hello\n");
    const refused = await ws.git.log({ revisions: ["nosuch"] }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(GitError);
    expect(refused).toMatchObject({ code: "ENOTFOUND", exitCode: 128, message: "bad revision 'nosuch'" });
    await expect(ws.git.cli({ argv: [1 as never] })).rejects.toThrow("argv[0] must be a string");
  });
});
