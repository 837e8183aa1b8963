/** git by argv: what it may show of denied files and of what lies outside the root, which is nothing. */
import { describe, expect, it } from "vitest";
import { codeOf, type Inside, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import type { ToolResult } from "../definition/tool-result.ts";
import { GIT_COMMANDS } from "../exec/git-policy.ts";

it("git runs by argv, and what is denied stays denied in every commit", () =>
  inWorkspace(
    async ({ workspace, call, refused, more }) => {
      await call("git", { argv: ["init", "-q", "-b", "main"] });
      await call("git", { argv: ["add", "."] });
      await call("git", { argv: ["commit", "-qm", "first"] });
      expect((await call("git", { argv: ["log", "--format=%s"] })).stdout).toBe("first\n");
      const careful = await more({ deny: [".env", "keys/"] });
      const run = async (...argv: string[]) => careful.handle("git", { argv });
      for (const argv of [
        ["show", "HEAD:.env"],
        ["show", "HEAD:./.env"],
        ["show", ":.env"],
        ["show", ":0:.env"],
        ["checkout", "HEAD", "--", ".env"],
        ["log", "-p", "--", ".env"],
        ["diff", "HEAD", ".env"],
        ["blame", ".env"],
        ["mv", ".env", "x"],
        ["show", "HEAD:keys/a.pem"],
        // Ways around, tried by hand.
        ["show", "HEAD@{2026-11-17 01:00}:.env"],
        ["show", "HEAD^{/fix: it}:.env"],
        ["show", "HEAD:a/../.env"],
        ["commit", "--allow-empty", "-F.env"],
        ["commit", "--allow-empty", "--file=.env"],
        ["config", "-f.env", "-l"],
        ["diff", "--no-index", ".env", "a.txt"],
        ["rm", "--cached", ".env"],
      ])
        expect([argv, codeOf(await run(...argv))]).toEqual([argv, "DENIED"]);
      for (const argv of [
        ["cat-file", "-p", "HEAD"],
        ["grep", "SECRET"],
        ["archive", "HEAD"],
        ["-c", "alias.x=!y", "x"],
        ["-C", "/", "status"],
        ["--git-dir=/x", "log"],
        ["show", "--output=x.txt", "HEAD"],
        ["show", "--outpu=x.txt", "HEAD"],
        ["show", "--line-prefix=x", "HEAD"],
        ["show", "--src-prefix=x/", "HEAD"],
        ["log", "--graph", "-p"],
        ["format-patch", "--root", "HEAD"],
        ["apply", "a.txt"],
        ["mv", "a.txt", "b.txt"],
        ["clone", ".", "copy"],
        ["update-index", "--add", "a.txt"],
        ["read-tree", "--prefix=x/", "HEAD"],
        ["hash-object", "-w", "a.txt"],
        ["fast-export", "--all"],
        ["worktree", "add", "x"],
      ])
        expect([argv, codeOf(await run(...argv))]).toEqual([argv, "COMMAND_REFUSED"]);
      const oid = new TextDecoder()
        .decode((await workspace.git.cli({ argv: ["rev-parse", "HEAD:.env"] })).stdout)
        .trim();
      for (const argv of [
        ["show", oid],
        ["diff", oid, oid],
        ["diff", `${oid}..${oid}`],
        ["show", oid.slice(0, 8)],
      ])
        expect([argv, codeOf(await run(...argv))]).toEqual([argv, "COMMAND_REFUSED"]);
      for (const config of [
        "color.ui=always",
        "diff.noprefix=true",
        "diff.mnemonicPrefix=true",
        "diff.srcPrefix=x/y/",
      ]) {
        const [key, value] = config.split("=") as [string, string];
        await call("git", { argv: ["config", key, value] });
        for (const argv of [
          ["show", "HEAD"],
          ["log", "-p"],
          ["show", "--cc", "HEAD"],
          ["whatchanged", "-p"],
        ]) {
          const { stdout } = unwrap(await run(...argv));
          expect([config, argv, stdout.includes("SECRET"), stdout.includes("hello")]).toEqual([
            config,
            argv,
            false,
            true,
          ]);
        }
        await call("git", { argv: ["config", "--unset", key] });
      }
      const shown = unwrap(await run("show", "HEAD"));
      expect(shown.stdout).toContain("+hello");
      expect(shown.stdout).not.toContain("SECRET");
      expect(await refused("git", { argv: ["diff", "--no-index", "/etc/passwd", "a.txt"] })).toBe("OUTSIDE_ROOT");
      expect(await refused("git", { argv: ["show", "HEAD:../../x"] })).toBe("OUTSIDE_ROOT");
    },
    {},
    { "a.txt": "hello\n", ".env": "SECRET=1\n", "keys/a.pem": "SECRET\n" },
  ));

it("git hides a denied file whose name it quotes, and one in a directory of its own", () =>
  inWorkspace(
    async ({ call, more }) => {
      for (const argv of [
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["commit", "-qm", "first"],
      ])
        await call("git", { argv });
      const careful = await more({ deny: ["geheim-ü", "/sub/only-here", "tab\there"] });
      const { stdout } = unwrap(await careful.handle("git", { argv: ["show", "HEAD"] }));
      expect([stdout.includes("SECRET"), stdout.match(/off limits/g)?.length, stdout.includes("hello")]).toEqual([
        false,
        3,
        true,
      ]);
    },
    {},
    { "a.txt": "hello\n", "geheim-ü": "SECRET 1\n", "sub/only-here": "SECRET 2\n", "tab\there": "SECRET 3\n" },
  ));

it("git names no file that is off limits, in whatever it prints", () =>
  inWorkspace(
    async ({ call, more, fs }) => {
      const commit = async (message: string) => {
        await call("git", { argv: ["add", "-A"] });
        await call("git", { argv: ["commit", "-qm", message] });
      };
      await call("git", { argv: ["init", "-q", "-b", "main"] });
      await commit("ignore .env files");
      for (const path of [".env", "keys/a.pem", "sub/only-here", "geheim-ü", "open name", "shown.txt", "sub/shown.txt"])
        await fs.appendFile(`/workspace/${path}`, "more\n");
      await fs.rename("/workspace/.env.old", "/workspace/renamed.txt");
      await commit("second");
      await fs.writeFile("/workspace/.env", "SECRET again\n");
      await fs.writeFile("/workspace/keys/new.pem", "SECRET\n");
      await fs.writeFile("/workspace/shown.txt", "changed\n");
      const careful = await more({ deny: [".env", ".env.*", "keys/", "/sub/only-here", "geheim-ü", "open name"] });
      const tree = (await call("git", { argv: ["rev-parse", "HEAD:sub"] })).stdout.trim();
      const HIDDEN = /\.env\b(?! files)|\.pem|keys|only-here|geheim|303\\274|open name|SECRET/;
      for (const argv of [
        ["ls-files"],
        ["ls-files", "-s"],
        ["ls-files", "-t", "--full-name"],
        ["ls-files", "-o"],
        ["ls-files", "-m"],
        ["ls-tree", "-r", "HEAD"],
        ["ls-tree", "-rt", "--name-only", "HEAD"],
        ["ls-tree", "-l", "HEAD", "sub/"],
        ["ls-tree", "HEAD:"],
        ["ls-tree", "HEAD^{tree}"],
        ["show", "HEAD:"],
        ["show", "HEAD^{tree}"],
        ["status"],
        ["status", "-s"],
        ["status", "--porcelain=v2"],
        ["status", "-v"],
        ["diff", "--name-only"],
        ["diff", "--name-status", "HEAD~1"],
        ["diff", "--stat", "HEAD~1"],
        ["diff", "--stat=20,8", "HEAD~1"],
        ["diff", "--numstat", "-M", "HEAD~1", "HEAD"],
        ["diff", "--summary", "-M", "HEAD~1", "HEAD"],
        ["diff", "--raw", "HEAD~1"],
        ["diff", "--patch-with-stat", "HEAD~1"],
        ["diff", "--color=always", "--stat", "HEAD~1"],
        ["log", "--name-only"],
        ["log", "--name-status", "-M", "--format=%s"],
        ["log", "-p", "--stat", "--format=+"],
        ["log", "--stat", "--summary", "-M"],
        ["log", "--raw"],
        ["log", "--numstat", "--format="],
        ["log", "--dirstat=files,0"],
        ["show", "--stat", "--summary", "HEAD~1"],
        ["whatchanged"],
        ["rev-list", "--objects", "HEAD"],
        ["blame", "-f", "renamed.txt"],
        ["blame", "--porcelain", "renamed.txt"],
        ["clean", "-nd"],
        ["add", "-nv", "."],
        ["rm", "-rn", "."],
        ["commit", "--dry-run", "-v"],
        ["reset"],
        ["stash"],
        ["stash", "show", "--name-only"],
        ["stash", "pop"],
        ["checkout", "main"],
        ["commit", "-am", "third"],
      ]) {
        const { stdout, stderr } = (await careful.handle("git", { argv })).structured as Record<string, string>;
        // A line of a file that may be seen.
        const printed = `${stdout}\n${stderr}`.replaceAll(/^[ +]\.env$/gm, "");
        expect([argv, HIDDEN.exec(printed)?.[0]]).toEqual([argv, undefined]);
      }
      for (const [argv, shown] of [
        [["ls-files"], "renamed.txt\nshown.txt\nsub/shown.txt\n"],
        [["diff", "--name-only", "HEAD~2", "HEAD"], "renamed.txt\nshown.txt\nsub/shown.txt\n"],
        [["log", "-n1", "--skip=2", "--format=%s"], "ignore .env files\n"],
        [["show", "HEAD:sub/shown.txt"], "text\n.env\nmore\n"],
        [["ls-tree", "--name-only", "HEAD", "sub/"], "sub/shown.txt\n"],
      ] as [string[], string][])
        expect([argv, unwrap(await careful.handle("git", { argv })).stdout.replace(/^\.gitignore\n/m, "")]).toEqual([
          argv,
          shown,
        ]);
      for (const argv of [
        // What is in a directory by itself is named as if it were elsewhere.
        ["ls-tree", "HEAD:sub"],
        ["ls-tree", tree],
        ["ls-tree", `${tree}^{tree}`],
        ["show", `${tree}:`],
        ["diff", "HEAD~1:sub", "HEAD:sub"],
        ["diff", "HEAD~1:sub..HEAD:sub"],
        ["checkout", "HEAD:sub", "--", "only-here"],
        ["restore", "--source=HEAD:sub", "only-here"],
        ["diff", "--relative=sub", "HEAD~1"],
        ["show", "HEAD:sub/shown.txt", "HEAD"],
        // Spelled so that a name could not be told.
        ["ls-files", "-z"],
        ["diff", "-z", "--name-only", "HEAD~1"],
        ["ls-tree", "--format=%(path)x", "HEAD"],
        ["log", "--grap", "--name-only"],
      ])
        expect([argv, codeOf(await careful.handle("git", { argv }))]).toEqual([argv, "COMMAND_REFUSED"]);
    },
    {},
    {
      ...{
        ".env": "SECRET=1\n",
        ".env.old": "a line that is long enough\nto be found again\n",
        "keys/a.pem": "SECRET\n",
      },
      ...{ "sub/only-here": "SECRET 2\n", "sub/shown.txt": "text\n.env\n", "geheim-ü": "SECRET 3\n" },
      ...{ "open name": "SECRET 4\n", "shown.txt": "hello\n" },
    },
  ));

it("git shows nothing of a repository that reaches beyond the root", () =>
  inWorkspace(
    async ({ call, more }) => {
      for (const argv of [
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["commit", "-qm", "first"],
      ])
        await call("git", { argv });
      const inner = await more({ root: "/workspace/inner" });
      expect(codeOf(await inner.handle("git", { argv: ["show", "HEAD:outer.txt"] }))).toBe("OUTSIDE_ROOT");
      expect(codeOf(await inner.handle("git", { argv: ["log", "-p"] }))).toBe("OUTSIDE_ROOT");
      unwrap(await inner.handle("git", { argv: ["init", "-q", "-b", "main"] }));
      unwrap(await inner.handle("git", { argv: ["status", "--short"] }));
      // Files of somebody else, by a line in the configuration.
      const config = await inner.handle("read", { path: ".git/config" });
      const content = `${unwrap(config).content}\n[core]\n\tworktree = /workspace\n`;
      unwrap(await inner.handle("write", { path: ".git/config", content }));
      expect(codeOf(await inner.handle("git", { argv: ["add", "-A"] }))).toBe("OUTSIDE_ROOT");
    },
    {},
    { "outer.txt": "outside\n", "inner/a.txt": "inside\n" },
  ));

describe("a repository that reaches beyond the root", () => {
  const OUTSIDE = { "outer.txt": "OUTSIDE\n", "secret.ini": "[s]\n\tkey = OUTSIDE\n", "inner/a.txt": "inside\n" };
  const REMOTE = '[remote "o"]\n\turl = /workspace\n\tfetch = +refs/heads/*:refs/remotes/o/*\n';

  /** A repository around everything, and one of their own under the narrowed root. */
  async function narrowed({ call, more }: Pick<Inside, "call" | "more">, options: Parameters<Inside["more"]>[0] = {}) {
    for (const argv of [
      ["init", "-q", "-b", "main"],
      ["add", "."],
      ["commit", "-qm", "OUTSIDE"],
    ])
      await call("git", { argv });
    const toolset = await more({ root: "/workspace/inner", ...options });
    const run = (...argv: string[]) => toolset.handle("git", { argv });
    unwrap(await run("init", "-q", "-b", "main"));
    unwrap(await run("add", "."));
    unwrap(await run("commit", "-qm", "first"));
    const config = unwrap(await toolset.handle("read", { path: ".git/config" })).content as string;
    const write = async (path: string, content: string) => unwrap(await toolset.handle("write", { path, content }));
    return { run, write, config };
  }

  const refusedBy = async (result: Promise<ToolResult>) => {
    const { isError, content } = await result;
    return isError ? content.split(":")[0] : `answered ${content}`;
  };

  it("borrows no objects, whether by alternates, by theirs, or by a link", () =>
    inWorkspace(
      async (inside) => {
        const { fs } = inside;
        const { run, write } = await narrowed(inside);
        const head = (await fs.readFile("/workspace/.git/refs/heads/main", "utf8")).trim();
        const tries = [["show", head], ["cat-file", "-p", head], ["log", "-p", head], ["fsck"]];
        const attempt = async () => {
          for (const argv of tries) expect([argv, await refusedBy(run(...argv))]).toEqual([argv, "OUTSIDE_ROOT"]);
        };
        expect((await run("show", head)).content).not.toContain("OUTSIDE\\n");
        for (const line of ["/workspace/.git/objects", "../../../.git/objects", "/workspace/inner/../.git/objects"]) {
          await write(".git/objects/info/alternates", `# a note\n\n${line}\n`);
          await attempt();
        }
        // By another's: its own lies inside, what it borrows from does not.
        await write("other/info/alternates", "/workspace/.git/objects\n");
        await write(".git/objects/info/alternates", "../../other\n");
        await attempt();
        await fs.unlink("/workspace/inner/other/info/alternates");
        expect((await run("show", "nothing")).structured.exitCode).toBe(128);
        await fs.unlink("/workspace/inner/.git/objects/info/alternates");
        unwrap(await run("log"));
        for (const place of ["objects/pack", "objects/ff", "refs/../objects"]) {
          const at = `/workspace/inner/.git/${place.replace("refs/../", "")}`;
          const kept = (await fs.exists(at)) ? `${at}.kept` : null;
          if (kept !== null) await fs.rename(at, kept);
          await fs.symlink("/workspace/.git/objects", at);
          await attempt();
          await fs.unlink(at);
          if (kept !== null) await fs.rename(kept, at);
        }
        unwrap(await run("log"));
      },
      {},
      OUTSIDE,
    ));

  it("is nobody else's: not by a link, a file named .git, or a common directory", () =>
    inWorkspace(
      async (inside) => {
        const { fs } = inside;
        const { run } = await narrowed(inside);
        await fs.rm("/workspace/inner/.git", { recursive: true });
        await fs.symlink("/workspace/.git", "/workspace/inner/.git");
        expect(await refusedBy(run("log", "-p"))).toBe("OUTSIDE_ROOT");
        await fs.unlink("/workspace/inner/.git");
        await fs.writeFile("/workspace/inner/.git", "gitdir: /workspace/.git\n");
        expect(await refusedBy(run("log", "-p"))).toBe("OUTSIDE_ROOT");
        await fs.unlink("/workspace/inner/.git");
        await fs.mkdir("/workspace/inner/.git/refs", { recursive: true });
        await fs.writeFile("/workspace/inner/.git/HEAD", "ref: refs/heads/main\n");
        await fs.writeFile("/workspace/inner/.git/commondir", "/workspace/.git\n");
        expect(await refusedBy(run("log", "-p"))).toBe("OUTSIDE_ROOT");
        expect(await refusedBy(run("--bare", "log", "-p"))).toBe("COMMAND_REFUSED");
      },
      {},
      OUTSIDE,
    ));

  it("fetches from no repository of the workspace, however it is named", () =>
    inWorkspace(
      async (inside) => {
        const { run, write, config } = await narrowed(inside);
        for (const argv of [
          ["clone", "file:///workspace", "copy"],
          ["ls-remote", "file:///workspace"],
          ["fetch", "FILE:///%77orkspace", "main"],
          ["remote", "add", "o", "file:///workspace"],
          ["pull", "/workspace", "main"],
          ["fetch", "../.git"],
        ])
          expect([argv, await refusedBy(run(...argv))]).toEqual([argv, "OUTSIDE_ROOT"]);
        for (const [text, ...argv] of [
          [REMOTE, "fetch", "o"],
          [REMOTE, "pull", "o", "main"],
          [REMOTE, "push", "o", "main"],
          [REMOTE, "remote", "update"],
          [REMOTE.replace("/workspace", "file:///workspace"), "fetch", "--all"],
          ['[url "/workspace"]\n\tinsteadOf = https://example.com/x\n', "fetch", "https://example.com/x"],
          ['[branch "main"]\n\tremote = ..\n\tmerge = refs/heads/main\n', "pull"],
        ] as [string, ...string[]][]) {
          await write(".git/config", config + text);
          expect([text, argv, await refusedBy(run(...argv))]).toEqual([text, argv, "COMMAND_REFUSED"]);
        }
        expect((await run("log", "-p", "--all")).content).not.toContain("OUTSIDE");
        // What is there to be looked at and taken away stays available, and so does the repository itself.
        await write(".git/config", config + REMOTE);
        unwrap(await run("remote", "-v"));
        unwrap(await run("remote", "remove", "o"));
        unwrap(await run("pull", ".", "main"));
      },
      {},
      OUTSIDE,
    ));

  it("includes no configuration from elsewhere, and no alias is run", () =>
    inWorkspace(
      async (inside) => {
        const { run, write, config } = await narrowed(inside, { deny: ["keys/"] });
        await inside.fs.mkdir("/workspace/inner/keys");
        await inside.fs.writeFile("/workspace/inner/keys/config", "[s]\n\tkey = OUTSIDE\n");
        for (const path of ["/workspace/secret.ini", "../../secret.ini", "../keys/config"]) {
          await write(".git/config", `${config}[include]\n\tpath = ${path}\n`);
          expect([path, await refusedBy(run("config", "-l"))]).toEqual([path, "OUTSIDE_ROOT"]);
        }
        await write("mine.ini", "[s]\n\tkey = mine\n");
        await write(".git/config", `${config}[include]\n\tpath = ../mine.ini\n`);
        expect(unwrap(await run("config", "s.key")).stdout).toBe("mine\n");
        await write(".git/config", `${config}[alias]\n\tx = diff --no-index /workspace/secret.ini a.txt\n`);
        expect(await refusedBy(run("x"))).toBe("COMMAND_REFUSED");
      },
      {},
      OUTSIDE,
    ));

  it("no alias can take the place of a command that is not asked about", () =>
    inWorkspace(async ({ call, toolset, fs }) => {
      await call("git", { argv: ["init", "-q"] });
      const aliases = [...GIT_COMMANDS].map((name) => `\t${name} = config alias.marker\n`).join("");
      const config = await fs.readFile("/workspace/.git/config", "utf8");
      await fs.writeFile("/workspace/.git/config", `${config}[alias]\n${aliases}\tmarker = hijacked\n`);
      for (const name of GIT_COMMANDS) {
        const { content } = await toolset.handle("git", { argv: [name, "--no-such-option"] });
        expect([name, content.includes("hijacked")]).toEqual([name, false]);
      }
      expect(codeOf(await toolset.handle("git", { argv: ["marker"] }))).toBe("COMMAND_REFUSED");
    }));
});
