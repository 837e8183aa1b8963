/** git by argv, on a view that enforces the host's policy: nothing outside the root, nothing unwritable, no command, no host. */
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { codeOf, type Inside, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import type { ToolResult } from "../definition/tool-result.ts";
import type { Toolset, ToolsetOptions } from "../toolset/toolset.ts";

const SECRET = "TOPSECRET42";
const FILES = {
  ".env": `API=${SECRET}\n`,
  "a.txt": "one\n",
  "inner/b.txt": "two\n",
  "src/c.ts": "three\n",
  "outer.ini": `[user]\n\tname = ${SECRET}\n`,
};

async function commitAll({ call }: Pick<Inside, "call">): Promise<void> {
  await call("git", { argv: ["init", "-q", "-b", "main"] });
  await call("git", { argv: ["add", "."] });
  await call("git", { argv: ["commit", "-qm", "first"] });
}

const run = (toolset: Toolset, ...argv: string[]): Promise<ToolResult> | ToolResult => toolset.handle("git", { argv });
const said = ({ content, structured }: ToolResult) => `${content}${JSON.stringify(structured)}`;

it("git runs by argv, and is not offered where files are denied", () =>
  inWorkspace(
    async (inside) => {
      const { call, more, workspace } = inside;
      await commitAll(inside);
      expect((await call("git", { argv: ["log", "--format=%s"] })).stdout).toBe("first\n");
      expect((await call("git", { argv: ["git", "status", "--porcelain"] })).stdout).toBe("");
      const careful = await more({ deny: [".env"] });
      expect(careful.names).not.toContain("git");
      expect(JSON.stringify(careful.schemas("mcp"))).not.toContain('"git"');
      const before = workspace[internals].volume.revisions.head;
      const refused = await run(careful, "show", "HEAD:.env");
      expect(codeOf(refused)).toBe("UNAVAILABLE");
      expect(refused.content).toContain("its objects hold their contents");
      for (const argv of DENIED_WAYS) {
        const answer = await run(careful, ...argv);
        expect([argv, codeOf(answer), said(answer).includes(SECRET)]).toEqual([argv, "UNAVAILABLE", false]);
      }
      // git's own files are hidden too, and so is git in the shell.
      expect(codeOf(await careful.handle("read", { path: ".git/config" }))).toBe("DENIED");
      expect(codeOf(await careful.handle("write", { path: "x/.git/refs/tags/t", content: "0".repeat(40) }))).toBe(
        "DENIED",
      );
      const shell = await careful.handle("exec", { command: "git show HEAD:.env; cat .env .git/config; git log -p" });
      expect(said(shell)).not.toContain(SECRET);
      expect(said(shell)).toContain("not available where files are denied");
      expect(workspace[internals].volume.revisions.head).toBeGreaterThanOrEqual(before);
    },
    {},
    FILES,
  ));

/** Regressions: each of them once printed or destroyed a denied file. */
const DENIED_WAYS = [
  ["commit", "--allow-empty", "-qF.env"],
  ["tag", "-aF.env", "v1"],
  ["config", "-lf.env"],
  ["ls-files", "-oiX.env"],
  ["for-each-ref", "--format=%(raw)"],
  ["config", "--blob=HEAD:.env", "-l"],
  ["log", "-G", "API=T"],
  ["merge", "-X", "find-renames=1", "x"],
  ["checkout", "HEAD", "--", "."],
  ["rebase", "-x", "cat .env; false", "--root"],
  ["clean", "-fdx"],
  ["rm", "-f", ".en?"],
];

describe("git runs no command", () => {
  const HOSTS: Partial<ToolsetOptions>[] = [
    {},
    { exec: { allowedCommands: [] } },
    { groups: { shell: false } },
    { disabled: ["exec"] },
    { root: "/workspace/inner" },
    { writable: ["src/"] },
    { mode: "propose" },
  ];
  for (const options of HOSTS)
    it(`with ${JSON.stringify(options)}`, () =>
      inWorkspace(
        async (inside) => {
          await commitAll(inside);
          const { fs, more } = inside;
          const toolset = await more(options);
          if (options.root !== undefined) {
            await run(toolset, "init", "-q", "-b", "main");
            await run(toolset, "add", ".");
            await run(toolset, "commit", "-qm", "own");
          }
          const root = options.root ?? "/workspace";
          const command = `cat /workspace/.env; echo x > ${root}/pwned; false`;
          const answers = [
            await run(toolset, "rebase", "-x", command, "--root"),
            await run(toolset, "rebase", `--exec=${command}`, "--root"),
            await run(toolset, "rebase", "--abort"),
            await run(toolset, "-c", `alias.x=!${command}`, "x"),
            await run(toolset, "-c", `core.editor=${command}`, "commit", "--amend"),
            await run(toolset, "-c", `core.pager=${command}`, "log"),
            await run(toolset, "-c", `diff.external=${command}`, "log", "-p", "--ext-diff"),
            await run(toolset, "bisect", "run", "sh", "-c", command),
          ];
          // A todo list written by a model.
          await toolset.handle("write", { path: ".git/rebase-merge/git-rebase-todo", content: `exec ${command}\n` });
          answers.push(await run(toolset, "rebase", "--continue"));
          for (const answer of answers.slice(0, 2)) expect(answer.isError).toBe(true);
          const unrestricted = options.root === undefined ? "" : SECRET;
          for (const answer of answers) if (unrestricted !== "") expect(said(answer)).not.toContain(unrestricted);
          expect(await fs.exists(`${root}/pwned`)).toBe(false);
        },
        {},
        FILES,
      ));
});

it("git reaches no host unless the workspace's network policy allows it", () =>
  inWorkspace(
    async (inside) => {
      await commitAll(inside);
      const url = "http://127.0.0.1:9/x.git";
      for (const argv of [
        ["push", url, "main"],
        ["fetch", url],
        ["pull", url],
        ["clone", url, "copy"],
        ["ls-remote", url],
        ["-c", `url.${url}.insteadOf=x:`, "push", "x:y", "main"],
        ["-c", `remote.o.url=${url}`, "push", "o", "main"],
        ["-c", "http.proxy=http://127.0.0.1:9", "ls-remote", "https://example.com/x"],
      ]) {
        const answer = await run(inside.toolset, ...argv);
        expect([argv, answer.isError, said(answer)]).toEqual([argv, true, expect.stringContaining("may not reach")]);
      }
    },
    {},
    FILES,
  ));

describe("git changes only what the host allows", () => {
  const WRITES = [
    ["config", "-f", "new.ini", "a.b", "EVIL"],
    ["config", "--file=new.ini", "a.b", "EVIL"],
    ["config", "user.name", "EVIL"],
    ["config", "core.fsmonitor", "touch x"],
    ["diff", "--output=a.txt", "HEAD"],
    ["diff", "--no-index", "--output", "a.txt", "a.txt", "inner/b.txt"],
    ["show", "--outpu=a.txt", "HEAD"],
    ["tag", "v1"],
    ["branch", "x"],
    ["commit", "--allow-empty", "-m", "x"],
    ["stash", "-u"],
    ["rm", "-f", "a.txt"],
    ["clean", "-fdx"],
    ["gc"],
    ["init", "other"],
    ["clone", ".", "copy"],
    ["worktree", "add", "w"],
    ["notes", "add", "-m", "x"],
    ["update-ref", "refs/heads/x", "HEAD"],
    ["hash-object", "-w", "a.txt"],
    ["symbolic-ref", "HEAD", "refs/heads/x"],
  ];
  const LIMITS: Partial<ToolsetOptions>[] = [{ mode: "propose" }, { writable: ["src/"] }];
  for (const options of LIMITS)
    it(`with ${JSON.stringify(options)}`, () =>
      inWorkspace(
        async (inside) => {
          await commitAll(inside);
          const { workspace, more } = inside;
          const toolset = await more(options);
          const { cursor } = await workspace.fs.changes();
          for (const argv of WRITES) await run(toolset, ...argv);
          const { changes } = await workspace.fs.changes({ since: cursor });
          expect(changes.map(({ op, path }) => [op, path])).toEqual([]);
          expect(unwrap(await run(toolset, "log", "--format=%s")).stdout).toBe("first\n");
          expect(unwrap(await run(toolset, "show", "HEAD:a.txt")).stdout).toBe("one\n");
          expect(unwrap(await run(toolset, "status", "--porcelain")).stdout).toBe("");
        },
        {},
        FILES,
      ));
});

describe("a repository inside a narrowed root", () => {
  it("reaches nothing outside it: paths, links, gitfiles, alternates, configuration and remotes", () =>
    inWorkspace(
      async (inside) => {
        await commitAll(inside);
        const { fs, more, workspace } = inside;
        const inner = await more({ root: "/workspace/inner" });
        await run(inner, "init", "-q", "-b", "main");
        await run(inner, "add", ".");
        await run(inner, "commit", "-qm", "own");
        const { stdout } = await workspace.git.cli({ argv: ["rev-parse", "HEAD:.env"], cwd: "/workspace" });
        const oid = new TextDecoder().decode(stdout).trim();
        const write = (path: string, content: string) => inner.handle("write", { path, content });
        await write(".git/objects/info/alternates", "/workspace/.git/objects\n");
        await write("gitfile/.git", "gitdir: /workspace/.git\n");
        await fs.symlink("/workspace/.git", "/workspace/inner/link.git");
        const before = await workspace.fs.changes();
        const outer = "/workspace/.git";
        for (const argv of [
          ["cat-file", "-p", oid],
          ["show", oid],
          ["-C", "gitfile", "show", "HEAD:.env"],
          ["-C", "..", "show", "HEAD:.env"],
          ["--git-dir", outer, "show", "HEAD:.env"],
          [`--git-dir=${outer}`, "log", "-p"],
          ["--git-dir=link.git", "log", "-p"],
          ["--work-tree=/workspace", "diff"],
          ["-c", "core.worktree=/workspace", "checkout", "."],
          ["-c", "include.path=/workspace/outer.ini", "config", "-l"],
          ["config", "-f", "/workspace/outer.ini", "-l"],
          ["config", "--file=../outer.ini", "-l"],
          ["diff", "--no-index", "b.txt", "../.env"],
          ["diff", "--no-index", "b.txt", "/workspace/.env"],
          ["commit", "--allow-empty", "-F", "../.env"],
          ["commit", "--allow-empty", "-qF../.env"],
          ["tag", "-aF../.env", "v1"],
          ["hash-object", "-w", "/workspace/.env"],
          ["fetch", "/workspace", "main"],
          ["fetch", "file:///workspace", "main:x"],
          ["clone", "/workspace", "copy"],
          ["clone", "--shared", "file:///workspace/.git", "copy"],
          ["ls-remote", ".."],
          ["push", "/workspace", "main:evil"],
          ["apply", "../.env"],
          ["check-ignore", "-v", "--stdin"],
          ["ls-files", "-oiX/workspace/.env"],
          ["blame", "--contents=/workspace/.env", "b.txt"],
          ["init", "/workspace/evil"],
          ["worktree", "add", "/workspace/evil"],
          ["archive", "-o", "/workspace/evil.tar", "HEAD"],
          ["format-patch", "-o", "/workspace/evil", "--root"],
        ])
          expect([argv, said(await run(inner, ...argv)).includes(SECRET)]).toEqual([argv, false]);
        for (const { path } of (await workspace.fs.changes({ since: before.cursor })).changes)
          expect(path).toMatch(/^\/workspace\/inner(\/|$)/);
        const { hits } = await fs.grep(SECRET, "/workspace/inner", { hidden: true, ignore: false, binary: true });
        expect(hits).toEqual([]);
      },
      {},
      FILES,
    ));
});
