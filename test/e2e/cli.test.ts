/** The command line against a real server: what the guide and `wsx --help` promise, each command as a process of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceServer } from "../support/reference-server.ts";
import { root } from "../support/root.ts";
import { commandLines } from "./document-blocks.ts";
import { WSX, Wsx } from "./wsx.ts";

const home = mkdtempSync(join(tmpdir(), "wsx-e2e-"));
let server: ReferenceServer;
let wsx: Wsx;

beforeAll(async () => {
  server = await ReferenceServer.local();
  wsx = new Wsx(home, { WSX_URL: server.url, WSX_WORKSPACE: "cli" });
}, 240_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

const ZSH = ["/usr/bin/zsh", "/bin/zsh"].find(existsSync);

describe("wsx and files", () => {
  it("put, ls, cat, stat, mv, get and rm work on files", async () => {
    writeFileSync(join(home, "notes.md"), "# notes\nTODO: more\n");
    expect(await wsx.out("put", "notes.md", "docs/")).toBe("docs/notes.md\n");
    expect((await wsx.run(["put", "-", "now.txt"], { input: "piped" })).code).toBe(0);
    expect(await wsx.out("ls")).toBe("docs/\nnow.txt\n");
    expect(await wsx.out("ls", "-R")).toBe("docs/\ndocs/notes.md\nnow.txt\n");
    expect(await wsx.out("ls", "-l", "now.txt")).toMatch(/^-rw-r--r-- {2}5 {2}\S+ \S+ {2}\S+ {2}now\.txt\n$/);
    expect(await wsx.out("cat", "docs/notes.md", "/workspace/now.txt")).toBe("# notes\nTODO: more\npiped");
    expect(await wsx.out("cat", "-r", "0-6", "docs/notes.md")).toBe("# notes");
    const { version, size } = await wsx.json<{ version: string; size: number }>("stat", "now.txt");
    expect(size).toBe(5);
    expect(await wsx.run(["put", "notes.md", "now.txt", "--if-new"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("wsx: ESTALE: "),
    });
    expect((await wsx.run(["put", "notes.md", "now.txt", "--if-version", version])).code).toBe(0);
    expect((await wsx.run(["put", "notes.md", "now.txt", "--if-version", version])).code).toBe(1);
    await wsx.out("mv", "now.txt", "docs/then.txt");
    expect(await wsx.out("get", "docs/then.txt")).toBe(`${join(home, "then.txt")}\n`);
    expect(readFileSync(join(home, "then.txt"), "utf8")).toBe("# notes\nTODO: more\n");
    expect(await wsx.out("get", "docs/then.txt", "-")).toBe("# notes\nTODO: more\n");
    expect(await wsx.run(["rm", "docs"])).toMatchObject({ code: 1, err: expect.stringContaining("Add -r") });
    await wsx.out("rm", "-r", "docs/then.txt");
    expect((await wsx.run(["cat", "docs/then.txt"])).err).toBe(
      "wsx: ENOENT: no such file or directory, stat '/workspace/docs/then.txt'\n  List the directory above to see what is there.\n",
    );
    expect((await wsx.run(["rm", "-f", "docs/then.txt"])).code).toBe(0);
  });

  it("edit writes back the edited file, and never overwrites another change", async () => {
    await wsx.run(["put", "-", "e.txt"], { input: "one\n" });
    const editor = (lines: string) => {
      const path = join(home, "editor.sh");
      writeFileSync(path, `#!/bin/sh\n${lines}\n`);
      chmodSync(path, 0o755);
      return { env: { EDITOR: path, VISUAL: "" } };
    };
    expect((await wsx.run(["edit", "e.txt"], editor('echo two >> "$1"'))).code).toBe(0);
    expect(await wsx.out("cat", "e.txt")).toBe("one\ntwo\n");
    expect((await wsx.run(["edit", "e.txt"], editor(":"))).err).toBe("unchanged\n");
    const raced = await wsx.run(
      ["edit", "e.txt"],
      editor(`echo theirs | ${process.execPath} ${WSX} put - e.txt\necho mine >> "$1"`),
    );
    expect(raced.code).toBe(1);
    const retained = /What you typed is in (\S+)\./.exec(raced.err)?.[1] as string;
    expect(readFileSync(retained, "utf8")).toBe("one\ntwo\nmine\n");
    rmSync(retained);
    expect(await wsx.out("cat", "e.txt")).toBe("theirs\n");
    expect((await wsx.run(["edit", "none.txt"], editor(":"))).code).toBe(1);
    expect((await wsx.run(["edit", "-c", "none.txt"], editor('echo new > "$1"'))).code).toBe(0);
    expect(await wsx.out("cat", "none.txt")).toBe("new\n");
  });

  it("cp -r copies trees both ways with modes and links, and skips links that lead out", async () => {
    const tree = join(home, "tree");
    mkdirSync(join(tree, "deep/empty"), { recursive: true });
    writeFileSync(join(tree, "run.sh"), "#!/bin/sh\n");
    chmodSync(join(tree, "run.sh"), 0o755);
    writeFileSync(join(tree, "deep", `${"long-".repeat(30)}ä.bin`), Buffer.alloc(300_000, 7));
    symlinkSync("run.sh", join(tree, "link"));
    symlinkSync("/etc/passwd", join(tree, "out"));
    expect((await wsx.run(["cp", tree, ":"])).err).toContain("EISDIR");
    const sent = await wsx.run(["cp", "-r", tree, ":copies/", "--json"]);
    expect(sent.code).toBe(1);
    const leftOut = [{ path: join(tree, "out"), reason: "the link leads out, to /etc/passwd" }];
    expect(JSON.parse(sent.out)).toEqual({ files: 2, bytes: 300_010, to: "/workspace/copies/tree", leftOut });
    await wsx.out("cp", "-r", ":copies/tree", join(home, "back"));
    expect(statSync(join(home, "back/run.sh")).mode & 0o777).toBe(0o755);
    expect(readlinkSync(join(home, "back/link"))).toBe("run.sh");
    expect(lstatSync(join(home, "back/deep/empty")).isDirectory()).toBe(true);
    expect(readFileSync(join(home, "back/deep", `${"long-".repeat(30)}ä.bin`))).toHaveLength(300_000);
    expect(existsSync(join(home, "back/out"))).toBe(false);
    expect(await wsx.json("cp", "-r", ":copies", "cli-other:")).toMatchObject({ files: 2 });
    expect(await wsx.out("-W", "cli-other", "ls", "-R", "copies/tree/deep")).toContain("copies/tree/deep/empty/\n");
  });

  it("archive packs and unpacks, and pipes a real tar", async () => {
    await wsx.run(["put", "-", "pack/a.txt"], { input: "a" });
    await wsx.out("archive", "pack", "-o", "pack.tar.gz");
    expect(execFileSync("tar", ["-tzf", join(home, "pack.tar.gz")], { encoding: "utf8" })).toMatch(/a\.txt/);
    expect(await wsx.json("archive", "-x", "pack.tar.gz", "unpacked")).toMatchObject({
      files: 1,
      path: "/workspace/unpacked",
    });
    expect(await wsx.out("cat", "unpacked/a.txt")).toBe("a");
    await wsx.out("archive", "pack", "-o", "pack.zip");
    expect(readFileSync(join(home, "pack.zip")).subarray(0, 2).toString()).toBe("PK");
  });
});

describe("wsx and searching, git, watching", () => {
  it("grep and glob find, with grep's exit codes", async () => {
    await wsx.run(["put", "-", "g/a.ts"], { input: "one\nTWO\nthree\n" });
    await wsx.run(["put", "-", "g/b.md"], { input: "two\n" });
    expect(await wsx.out("grep", "two", "g")).toBe("g/b.md:1:two\n");
    expect(await wsx.out("grep", "-i", "two", "g")).toBe("g/a.ts:2:TWO\ng/b.md:1:two\n");
    expect(await wsx.out("grep", "-C1", "TWO", "g")).toBe("g/a.ts-1-one\ng/a.ts:2:TWO\ng/a.ts-3-three\n");
    expect(await wsx.out("grep", "-il", "two", "g", "-g", "!*.md")).toBe("g/a.ts\n");
    expect(await wsx.out("grep", "-c", "t", "g")).toBe("g/a.ts:1\ng/b.md:1\n");
    expect(await wsx.run(["grep", "nowhere", "g"])).toEqual({ code: 1, out: "", err: "" });
    expect(await wsx.run(["grep", "(", "g"])).toMatchObject({ code: 2, out: "" });
    const lines = (await wsx.out("grep", "-F", "two", "g", "--json"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { path: "/workspace/g/b.md", line: 1 },
      { type: "end", truncated: false },
    ]);
    expect(await wsx.out("glob", "g/*.ts")).toBe("g/a.ts\n");
    expect((await wsx.run(["glob", "g/*.rs"])).code).toBe(1);
  });

  it("git answers as git, with its exit code", async () => {
    await wsx.out("git", "init", "-q", "repo");
    await wsx.run(["put", "-", "repo/a.txt"], { input: "a\n" });
    expect(await wsx.out("git", "-C", "repo", "status", "--short")).toBe("?? a.txt\n");
    await wsx.out("git", "-C", "repo", "add", ".");
    await wsx.out("git", "-C", "repo", "commit", "-qm", "first");
    expect(await wsx.out("git", "-C", "repo", "log", "--format=%s")).toBe("first\n");
    const hashed = await wsx.run(["git", "hash-object", "--stdin"], { input: "a\n" });
    expect(hashed).toMatchObject({ code: 0, out: "78981922613b2afb6025042ff6bd878ac1994e85\n" });
    expect((await wsx.run(["git", "-C", "repo", "rev-parse", "nothing"])).code).toBe(128);
    expect(JSON.parse((await wsx.run(["--json", "git", "-C", "repo", "log", "--format=%s"])).out)).toMatchObject({
      exitCode: 0,
      stdout: "first\n",
    });
  });

  it("watch shows changes as they happen, and continues from a cursor", async () => {
    const watching = wsx.start(["watch", "seen", "--json", "-n", "2"]);
    let out = "";
    watching.stdout.on("data", (chunk) => (out += chunk));
    // It is listening when the server says so; a change before that would rightly be missed.
    for (let n = 0; !out.includes("\n"); n++) {
      await wsx.run(["put", "-", "seen/a.txt"], { input: String(n) });
      await new Promise((wake) => setTimeout(wake, 100));
    }
    await wsx.run(["put", "-", "seen/b.txt"], { input: "b" });
    await wsx.run(["put", "-", "elsewhere.txt"], { input: "c" });
    if (watching.exitCode === null) await once(watching, "exit");
    expect(watching.exitCode).toBe(0);
    const changes = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(changes).toHaveLength(2);
    expect(changes[0]).toMatchObject({ actor: "http:local/wsx" });
    const replay = await wsx.out("watch", "seen", "--since", changes[0].cursor, "-n", "1");
    expect(replay).toMatch(/ {2}(?:create|write ) {2}seen\//);
  });
});

describe("wsx exec and tools", () => {
  it("exec passes output, errors, input and the exit code", async () => {
    expect(await wsx.run(["exec", "echo out; echo err >&2; exit 7"])).toEqual({ code: 7, out: "out\n", err: "err\n" });
    expect(await wsx.run(["exec", "sort -u"], { input: "b\na\nb\n" })).toMatchObject({ code: 0, out: "a\nb\n" });
    // Several words are an argv, and no shell sees them.
    expect(await wsx.out("exec", "-n", "echo", "$HOME", "*")).toBe("$HOME *\n");
    expect(await wsx.out("exec", "-n", "-e", "WHO=me", "echo $WHO > by-exec.txt; pwd")).toBe("/workspace\n");
    expect(await wsx.out("cat", "by-exec.txt")).toBe("me\n");
    expect((await wsx.run(["exec", "-n", "-t", "0.3", "sleep 30"])).code).toBe(124);
    expect((await wsx.run(["exec", "-n", "--cwd", "nowhere", "ls"])).code).toBe(125);
    const events = (await wsx.out("--json", "exec", "-n", "echo hi")).trim().split("\n");
    expect(events.map((line) => JSON.parse(line))).toMatchObject([
      { seq: 1, name: "stdout", value: "hi\n" },
      { name: "exit", value: { state: "exited", exitCode: 0 } },
    ]);
  });

  it("exec shows output while the command runs, and Ctrl-C ends the command", async () => {
    const child = wsx.start(["exec", "-n", "echo first; sleep 60"]);
    const [chunk] = await once(child.stdout, "data");
    expect(String(chunk)).toBe("first\n");
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
    const [last] = await wsx.json<{ state: string; command: string }[]>("exec", "--list");
    expect(last).toMatchObject({ state: "killed", command: "echo first; sleep 60" });
  });

  it("exec -d leaves a command running, which can be listed, followed and killed", async () => {
    const id = (await wsx.out("exec", "-d", "echo begun; sleep 60")).trim();
    expect(await wsx.out("exec", "--list")).toContain(id);
    const following = wsx.run(["exec", "--attach", id]);
    await wsx.out("exec", "--kill", id);
    expect(await following).toMatchObject({ code: 143, out: "begun\n" });
    expect(await wsx.run(["exec", "--attach", "no-such-id"])).toMatchObject({
      code: 125,
      err: expect.stringContaining("ENOENT"),
    });
  });

  it("tools are listed and called", async () => {
    expect(await wsx.out("tools")).toMatch(/^read path /m);
    await wsx.run(["put", "-", "t.txt"], { input: "by hand\n" });
    expect(await wsx.out("tools", "read", "path=/workspace/t.txt")).toContain("by hand");
    expect((await wsx.run(["tools", "read", "path=/workspace/not-there.txt"])).code).toBe(1);
    expect(JSON.parse(await wsx.out("tools", "--dialect", "anthropic"))[0]).toMatchObject({
      input_schema: { type: "object" },
    });
  });
});

describe("wsx and the past", () => {
  it("history, diff and blame show changes; undo and snapshots revert them", async () => {
    await wsx.run(["put", "-", "past/a.txt"], { input: "one\n" });
    const { id } = await wsx.json<{ id: string }>("snapshot", "--name", "before");
    await wsx.run(["put", "-", "past/a.txt"], { input: "two\n" });
    const log = await wsx.out("history", "past/a.txt");
    expect(log.split("\n")[0]).toMatch(/^\d+ {2}\S+ \S+ {2}http:local\/wsx {2}write 1 +past\/a\.txt$/);
    expect(await wsx.out("diff", "--from", id, "past")).toContain("-one\n+two\n");
    expect(await wsx.out("blame", "past/a.txt")).toMatch(/http:local\/wsx {2}1 {2}two\n$/);
    expect(await wsx.out("undo", "past/a.txt", "--dry-run")).toBe("write       past/a.txt\n");
    expect(await wsx.out("cat", "past/a.txt")).toBe("two\n");
    const { group } = await wsx.json<{ group: number }>("undo", "past/a.txt");
    expect(await wsx.out("cat", "past/a.txt")).toBe("one\n");
    await wsx.out("undo", "--group", String(group));
    expect(await wsx.out("cat", "past/a.txt")).toBe("two\n");
    await wsx.out("snapshot", "--restore", id, "past");
    expect(await wsx.out("cat", "past/a.txt")).toBe("one\n");
    expect(await wsx.out("snapshot")).toContain("before\n");
    await wsx.out("snapshot", "--delete", id);
    expect((await wsx.run(["undo"])).code).toBe(2);
  });
});

describe("docs/guide/cli.md", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");

  it("docs/guide/cli.md: every command works as shown", () => {
    const lines = commandLines("docs/guide/cli.md", "sh cli");
    const env = { ...process.env, ...wsx.env, WSX_WORKSPACE: "readme", XDG_CONFIG_HOME: join(home, "config") };
    const ran = lines.map((line) =>
      execFileSync("sh", ["-c", line], { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
    );
    expect(ran).toHaveLength(7);
    expect(ran[0]).toBe("docs/README.md\n");
    expect(ran[1]).toMatch(/^-rw-r--r-- .* README\.md\n$/);
    expect(ran[2]).toMatch(/^docs\/README\.md:\d+:/);
    expect(ran[3]?.trim()).toBe(String(readme.split("\n").length - 1));
  });

  it("packages/cli/README.md shows commands that work", () => {
    const env = { ...process.env, ...wsx.env, WSX_WORKSPACE: "package", XDG_CONFIG_HOME: join(home, "config") };
    for (const line of commandLines("packages/cli/README.md", "sh cli-package")) {
      const script = `wsx() { ${process.execPath} ${WSX} "$@"; }; ${line}`;
      execFileSync("sh", ["-c", script], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    }
  });

  it("docs/guide/cli.md: the completion lines work in their shells", () => {
    for (const line of commandLines("docs/guide/cli.md", "sh completion")) {
      const shell = /completion (\w+)/.exec(line)?.[1] as "bash" | "zsh";
      if (spawnSync(shell, ["-c", "true"]).error !== undefined) continue;
      const prepare = shell === "zsh" ? "autoload -U compinit && compinit -u;" : "";
      const check = shell === "zsh" ? "print $_comps[wsx]" : "complete -p wsx";
      const script = `wsx() { ${process.execPath} ${WSX} "$@"; }; ${prepare} ${line.split("#")[0]}; ${check}`;
      expect(execFileSync(shell, ["-c", script], { encoding: "utf8", env: { ...process.env, HOME: home } })).toMatch(
        /wsx/,
      );
    }
  });
});

describe("wsx itself", () => {
  it("a usage error prints the usage, exits with 2, and sends no request", async () => {
    const away = { env: { WSX_URL: "http://127.0.0.1:1" } };
    expect(await wsx.run(["ls", "--lnog"], away)).toEqual({
      code: 2,
      out: "",
      err: "wsx: USAGE: unknown flag --lnog (did you mean --long?)\nusage: wsx ls [flags] [<path>]\n",
    });
    expect((await wsx.run(["cat"], away)).code).toBe(2);
    expect((await wsx.run(["no-such"], away)).code).toBe(2);
    expect(await wsx.run(["ls"], away)).toMatchObject({ code: 69, err: expect.stringContaining("EUNREACHABLE") });
    expect((await wsx.run(["git", "status"], away)).code).toBe(125);
    const reported = await wsx.run(["ls", "nowhere", "--json"]);
    expect(JSON.parse(reported.err)).toMatchObject({ error: { code: "ENOENT", path: "/workspace/nowhere" } });
  });

  it("workspaces lists, creates and deletes workspaces, the latter only with --yes", async () => {
    expect(await wsx.out("workspaces", "--create", "cli-made")).toBe("cli-made\n");
    expect((await wsx.json<{ name: string }[]>("workspaces")).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["cli", "cli-made"]),
    );
    expect((await wsx.run(["workspaces", "--delete", "cli-made"])).code).toBe(2);
    await wsx.out("workspaces", "--delete", "cli-made", "--yes");
    expect((await wsx.json<{ name: string }[]>("workspaces")).map(({ name }) => name)).not.toContain("cli-made");
    expect(await wsx.out("open", "--print", "g/a.ts")).toBe(`${server.url}/#/w/cli/files/g/a.ts\n`);
  });

  it("login verifies a token, saves it with mode 0600, and sends it only to its server", {
    timeout: 1_800_000,
  }, async () => {
    const token = "s3cret-0123456789-0123456789-0123";
    await using secured = await ReferenceServer.deployed({ WORKSPACE_TOKEN: token });
    const person = new Wsx(join(home, "person"), { WSX_URL: "", WSX_WORKSPACE: "" });
    mkdirSync(person.home);
    expect(await person.run(["ls", "--url", secured.url])).toMatchObject({
      code: 1,
      err: expect.stringContaining("wsx login"),
    });
    expect(await person.run(["login", secured.url, "--token-stdin"], { input: "wrong\n" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("UNAUTHORIZED"),
    });
    const config = join(person.home, "config/wsx/config.json");
    expect(existsSync(config)).toBe(false);
    expect(
      (await person.run(["login", secured.url, "--token-stdin", "-W", "mine"], { input: `${token}\n` })).out,
    ).toContain("signed in as");
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect(await person.json("ls")).toEqual([]);
    expect((await person.run(["put", "-", "a.txt"], { input: "x" })).code).toBe(0);
    expect(await person.out("ls", "-W", "mine")).toBe("a.txt\n");
    const other = new URL(server.url);
    expect((await person.run(["ls", "--url", other.href])).code).toBe(0);
    await person.out("logout");
    expect((await person.run(["ls"])).code).toBe(1);
    expect(readFileSync(config, "utf8")).not.toContain(token);
  });

  it("completion in bash offers commands, flags, choices and the workspace's paths", async () => {
    await wsx.run(["put", "-", "comp/file one.txt"], { input: "" });
    await wsx.out("mkdir", "comp/dir");
    const complete = (line: string) => {
      const script = `PATH="${home}/bin:$PATH"; eval "$(wsx completion bash)"; COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}; _wsx; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const env = { ...process.env, ...wsx.env, WSX_COMPLETION_MS: "60000", XDG_CONFIG_HOME: join(home, "config") };
      return execFileSync("bash", ["-c", script], { encoding: "utf8", env }).trim().split("\n");
    };
    mkdirSync(join(home, "bin"), { recursive: true });
    writeFileSync(join(home, "bin/wsx"), `#!/bin/sh\nexec ${process.execPath} ${WSX} "$@"\n`, { mode: 0o755 });
    expect(complete("wsx gr")).toEqual(["grep"]);
    expect(complete("wsx archive --form")).toEqual(["--format"]);
    expect(complete("wsx archive --format ")).toEqual(["tar", "zip"]);
    expect(complete("wsx cat comp/")).toEqual(["comp/dir/", "comp/file one.txt"]);
    expect(complete("wsx cp :comp/d")).toEqual(["comp/dir/"]);
    expect(complete("wsx -W cl")).toEqual(expect.arrayContaining(["cli"]));
    expect(complete("wsx completion ")).toEqual(["bash", "zsh"]);
  });

  it.skipIf(ZSH === undefined)("completion in zsh offers the same, in a shell that a key is pressed in", async () => {
    await wsx.run(["put", "-", "comp/file one.txt"], { input: "" });
    await wsx.run(["mkdir", "comp/dir"]);
    mkdirSync(join(home, "bin"), { recursive: true });
    writeFileSync(join(home, "bin/wsx"), `#!/bin/sh\nexec ${process.execPath} ${WSX} "$@"\n`, { mode: 0o755 });
    const env = { ...process.env, ...wsx.env, WSX_COMPLETION_MS: "60000", XDG_CONFIG_HOME: join(home, "config") };
    // A terminal of zsh's own, which is sent the line and Tab, and then a key that writes down what the line has become.
    const [ready, line] = [join(home, "zsh-ready"), join(home, "zsh-line")];
    const start = [
      `PATH="${home}/bin:$PATH"; PS1=; unset zle_bracketed_paste; eval "$(wsx completion zsh)"`,
      `tell() { print -r -- "<<$BUFFER>>" > ${line}; BUFFER=; zle accept-line }; zle -N tell; bindkey "^T" tell; : > ${ready}`,
    ].join("; ");
    const script = `
zmodload zsh/zpty
drain() { local text; while zpty -r -t shell text; do :; done }
until-there() { for i in {1..600}; do drain; [[ -e $1 ]] && return; sleep 0.05; done }
zpty -b shell ${ZSH} -f -i
zpty -w shell '${start}'
until-there ${ready}
zpty -w -n shell "$1"$'\\t\\C-t'
until-there ${line}
zpty -d shell`;
    const complete = (typed: string) => {
      for (const file of [ready, line]) rmSync(file, { force: true });
      execFileSync(ZSH as string, ["-f", "-c", script, "zsh", typed], { env, timeout: 60_000 });
      return /<<(.*)>>/.exec(readFileSync(line, "utf8"))?.[1];
    };
    expect(complete("wsx gre")).toBe("wsx grep ");
    expect(complete("wsx archive --form")).toBe("wsx archive --format ");
    expect(complete("wsx cat comp/d")).toBe("wsx cat comp/dir/");
    expect(complete("wsx cat comp/f")).toBe("wsx cat comp/file\\ one.txt ");
    expect(complete("wsx cat comp/file\\ o")).toBe("wsx cat comp/file\\ one.txt ");
    expect(complete("wsx completion z")).toBe("wsx completion zsh ");
  });

  it("npm run cli works in every directory of the checkout, relative to it", async () => {
    const text = execFileSync("npm", ["run", "--silent", "cli", "--", "put", "differences.md"], {
      cwd: join(root, "docs"),
      encoding: "utf8",
      env: { ...process.env, ...wsx.env, XDG_CONFIG_HOME: join(home, "config") },
    });
    expect(text).toBe("differences.md\n");
    expect(await wsx.out("cat", "differences.md")).toBe(readFileSync(join(root, "docs/differences.md"), "utf8"));
  });
});
