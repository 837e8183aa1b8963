/**
 * isomorphic-git on a workspace's files, in turns with the workspace's own git on the same repository. Clones come from a real
 * `git http-backend` over isomorphic-git's own HTTP client.
 */
import { env } from "cloudflare:workers";
import { asIsomorphicGitFs } from "@cloudflare/workspace/adapters/isomorphic-git";
import git from "isomorphic-git";
import { describe, expect, it } from "vitest";
import { cloneAndCommit } from "./examples/isomorphic-git.ts";
import { type AnyWorkspace, inWorkspace, PLACES, withWorkspace } from "./with-workspace.ts";

const author = { name: "A", email: "a@example.com" };
const dir = "/workspace/repository";

async function cli(workspace: AnyWorkspace, cwd: string, ...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await workspace.git.cli({ argv, cwd });
  if (exitCode !== 0) throw new Error(`git ${argv.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

describe.each(PLACES)("isomorphic-git on a workspace %s", (place) => {
  it("and workspace.git.cli agree on one repository, in turns", () =>
    withWorkspace(place, async (workspace) => {
      const fs = asIsomorphicGitFs(workspace.fs);
      const write = (name: string, text: string) => workspace.fs.writeFile(`${dir}/${name}`, text);
      const ours = (...argv: string[]) =>
        cli(workspace, dir, "-c", "user.name=B", "-c", "user.email=b@example.com", ...argv);
      // isomorphic-git lists a commit once for each way that leads to it.
      const subjects = async () => [
        ...new Set((await git.log({ fs, dir })).map(({ commit }) => commit.message.trim())),
      ];

      await git.init({ fs, dir, defaultBranch: "main" });
      await write("a.txt", "a\n");
      await write("b.txt", "b\n");
      expect(await git.statusMatrix({ fs, dir })).toEqual([
        ["a.txt", 0, 2, 0],
        ["b.txt", 0, 2, 0],
      ]);
      await git.add({ fs, dir, filepath: "a.txt" });
      expect(await ours("status", "--porcelain")).toBe("A  a.txt\n?? b.txt\n");
      const first = await git.commit({ fs, dir, message: "theirs: a", author });
      expect(await ours("rev-parse", "HEAD")).toBe(`${first}\n`);

      await ours("add", "b.txt");
      expect(await git.status({ fs, dir, filepath: "b.txt" })).toBe("added");
      await ours("commit", "-qm", "ours: b");
      expect(await subjects()).toEqual(["ours: b", "theirs: a"]);

      await git.branch({ fs, dir, ref: "side", checkout: true });
      expect(await ours("branch", "--show-current")).toBe("side\n");
      await write("a.txt", "a\nside\n");
      expect(await ours("diff", "--stat")).toContain("a.txt | 1 +");
      await ours("commit", "-qam", "ours: side");
      await git.checkout({ fs, dir, ref: "main" });
      expect(await workspace.fs.readFile(`${dir}/a.txt`, "utf8")).toBe("a\n");
      await write("b.txt", "b\nmain\n");
      await git.add({ fs, dir, filepath: "b.txt" });
      await git.commit({ fs, dir, message: "theirs: main", author });

      const { oid } = await git.merge({ fs, dir, ours: "main", theirs: "side", author });
      await git.checkout({ fs, dir, ref: "main" });
      expect(await ours("log", "-1", "--format=%H %P")).toBe(
        `${oid} ${await ours("rev-parse", "HEAD^1", "side")}`.replace(/\n(?=.)/, " "),
      );
      expect(await ours("status", "--porcelain")).toBe("");
      expect(await workspace.fs.readFile(`${dir}/a.txt`, "utf8")).toBe("a\nside\n");
      await ours("gc", "-q");
      expect((await subjects()).sort()).toEqual([
        "Merge branch 'side' into main",
        "ours: b",
        "ours: side",
        "theirs: a",
        "theirs: main",
      ]);
      expect(await ours("fsck", "--full")).toBe("");
    }));

  it("clones a pack of several MiB over http/web and commits (the guide's example)", () =>
    withWorkspace(place, async (workspace) => {
      const origin = await (await env.GIT_SERVER.fetch("http://git.test/")).text();
      const oid = await cloneAndCommit(workspace, `${origin}/large.git`);
      const project = "/workspace/project";
      expect(await cli(workspace, project, "log", "--format=%H %s")).toMatch(
        new RegExp(`^${oid} Add notes\n[0-9a-f]{40} large\n$`),
      );
      expect(await cli(workspace, project, "status", "--porcelain")).toBe("");
      expect(await cli(workspace, project, "fsck", "--full")).toBe("");
      expect((await workspace.fs.stat(`${project}/large.bin`)).size).toBe(5 * 1024 * 1024);
    }));
});

it.each(["true", "input", "false"])("isomorphic-git adds, compares and checks out with core.autocrlf=%s", (autocrlf) =>
  inWorkspace(async (workspace) => {
    const fs = asIsomorphicGitFs(workspace.fs);
    await git.init({ fs, dir });
    await git.setConfig({ fs, dir, path: "core.autocrlf", value: autocrlf });
    await workspace.fs.writeFile(`${dir}/a.txt`, "one\r\ntwo\r\n");
    await git.add({ fs, dir, filepath: "a.txt" });
    await git.commit({ fs, dir, message: "lines", author });
    expect(await git.status({ fs, dir, filepath: "a.txt" })).toBe("unmodified");
    expect(await git.statusMatrix({ fs, dir })).toEqual([["a.txt", 1, 1, 1]]);
    expect(await cli(workspace, dir, "cat-file", "blob", "HEAD:a.txt")).toBe(
      autocrlf === "true" ? "one\ntwo\n" : "one\r\ntwo\r\n",
    );
    await workspace.fs.writeFile(`${dir}/a.txt`, "three\r\n");
    expect(await git.status({ fs, dir, filepath: "a.txt" })).toBe("*modified");
    await git.checkout({ fs, dir, force: true });
    expect(await git.status({ fs, dir, filepath: "a.txt" })).toBe("unmodified");
  }),
);
