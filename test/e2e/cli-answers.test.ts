/** How `wsx` answers: every command with --json, and on a terminal, where it prompts, draws progress and leaves at Ctrl-D. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceServer } from "../support/reference-server.ts";
import { root } from "../support/root.ts";
import { WSX, Wsx } from "./wsx.ts";

const home = mkdtempSync(join(tmpdir(), "wsx-answers-"));
let server: ReferenceServer;
let wsx: Wsx;

beforeAll(async () => {
  server = await ReferenceServer.local();
  wsx = new Wsx(home, { WSX_URL: server.url, WSX_WORKSPACE: "answers", EDITOR: "true", VISUAL: "" });
}, 240_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(home, { recursive: true, force: true });
});

/** One line for each command: its exit code is 0, and what it prints is one JSON value like this, or lines of which the last is. */
const ANSWERS: Record<string, [argv: string[], like: unknown, input?: string]> = {
  put: [["put", "-", "a.txt"], { path: "/workspace/a.txt", version: expect.any(String), created: true }, "one\ntwo\n"],
  ls: [["ls"], [expect.objectContaining({ path: "/workspace/a.txt", type: "file" })]],
  cat: [["cat", "a.txt"], { path: "/workspace/a.txt", content: "one\ntwo\n" }],
  get: [["get", "a.txt", "got.txt"], { path: "/workspace/a.txt", bytes: 8 }],
  edit: [["edit", "a.txt"], { path: "/workspace/a.txt", version: expect.stringMatching(/^\w+\.\w+$/), changed: false }],
  mkdir: [["mkdir", "d"], [{ path: "/workspace/d", created: true }]],
  mv: [["mv", "d", "e"], { from: "/workspace/d", to: "/workspace/e" }],
  rm: [["rm", "-r", "e"], { removed: ["/workspace/e"] }],
  stat: [["stat", "a.txt"], { path: "/workspace/a.txt", size: 8 }],
  cp: [["cp", ":a.txt", ":b.txt"], { files: 1, bytes: 8, to: "/workspace/b.txt" }],
  archive: [["archive", "-o", "all.zip"], { path: "/workspace", bytes: expect.any(Number) }],
  grep: [["grep", "one"], { type: "end", truncated: false }],
  glob: [["glob", "*.txt"], { paths: ["a.txt", "b.txt"] }],
  exec: [["exec", "-n", "true"], { name: "exit", value: { exitCode: 0 } }],
  git: [["git", "--version"], { exitCode: 0, stdout: expect.stringMatching(/^git version /) }],
  history: [["history"], { groups: expect.any(Array) }],
  blame: [["blame", "a.txt"], { path: "/workspace/a.txt", lines: [{ line: 1 }, { line: 2 }] }],
  snapshot: [["snapshot", "--name", "s"], { name: "s", id: expect.any(String) }],
  undo: [["undo", "b.txt", "--dry-run"], { total: 1 }],
  tools: [["tools", "read", "path=a.txt"], { structured: { content: "one\ntwo\n" } }],
  workspaces: [["workspaces"], [expect.objectContaining({ name: "answers" })]],
  open: [["open", "--print"], { url: expect.stringContaining("/#/w/answers/files") }],
  completion: [["completion", "zsh"], { shell: "zsh", script: expect.stringContaining("compdef") }],
  mcp: [["mcp"], { id: 1, result: {} }, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'],
};

describe("wsx --json", () => {
  it.each(Object.entries(ANSWERS))("%s answers with JSON", async (_, [argv, like, input]) => {
    const { code, out, err } = await wsx.run(["--json", ...argv], { input });
    expect([code, err]).toEqual([0, ""]);
    expect(valuesIn(out).at(-1)).toMatchObject(like as object);
  });

  it("the cases above cover every command", async () => {
    const names = [...readFileSync(join(root, "packages/cli/COMMANDS.md"), "utf8").matchAll(/^## wsx (\w+)$/gm)];
    // Tested below.
    const others = ["diff", "login", "logout", "watch"];
    expect(names.map(([, name]) => name as string).sort()).toEqual([...Object.keys(ANSWERS), ...others].sort());
  });

  it("diff, watch, login and logout answer with JSON too", async () => {
    const { version } = await wsx.json<{ version: string }>("stat", "a.txt");
    await wsx.run(["put", "-", "a.txt"], { input: "one\n" });
    expect(await wsx.json("diff", "--from", version, "a.txt")).toMatchObject({ files: [{ path: "/workspace/a.txt" }] });
    const [change] = valuesIn(await wsx.out("watch", "--since", version, "-n", "1", "a.txt", "--json"));
    expect(change).toMatchObject({ path: "/workspace/a.txt", cursor: expect.any(String) });
    const other = new Wsx(join(home, "other"), {});
    mkdirSync(other.home);
    expect(await other.json("login", "--no-token", server.url)).toMatchObject({ url: server.url });
    expect(await other.json("logout")).toEqual({ url: server.url, forgotten: false });
  });

  it("-l and -c of grep count files, in JSON as in text", async () => {
    await wsx.run(["put", "-", "g/a.txt"], { input: "x\nx\n" });
    await wsx.run(["put", "-", "g/b.txt"], { input: "x\n" });
    const found = async (flag: string) => valuesIn(await wsx.out("grep", flag, "x", "g", "--json")).slice(0, -1);
    expect(await found("-l")).toEqual([{ path: "/workspace/g/a.txt" }, { path: "/workspace/g/b.txt" }]);
    expect(await found("-c")).toEqual([
      { path: "/workspace/g/a.txt", count: 2 },
      { path: "/workspace/g/b.txt", count: 1 },
    ]);
  });

  it("a usage error is JSON on stderr with exit code 2, also for commands that write bytes", async () => {
    const mistakes = [
      ["get", "a.txt", "-"],
      ["archive"],
      ["tools", "read", "-i", "{"],
      ["tools", "read", "path"],
      ["nothing"],
      ["ls", "--nothing"],
      ["completion", "fish"],
      ["diff"],
    ];
    for (const argv of mistakes) {
      const { code, out, err } = await wsx.run(["--json", ...argv]);
      expect([argv, code, out]).toEqual([argv, 2, ""]);
      expect(JSON.parse(err)).toEqual({ error: { code: "USAGE", message: expect.any(String) } });
    }
  });

  it("help and version are JSON too, and a hint that names a route names the command instead", async () => {
    expect(await wsx.json("--help")).toEqual({ help: expect.stringContaining("usage: wsx") });
    expect(await wsx.json("--version")).toEqual({ version: expect.stringMatching(/^\d/) });
    expect((await wsx.run(["tools", "nothing"])).err).toContain("`wsx tools` lists");
    expect((await wsx.run(["exec", "--attach", "nothing"])).err).toContain("`wsx exec --list` lists");
  });
});

describe.skipIf(!existsSync("/usr/bin/script"))("wsx on a terminal", () => {
  it("exec is a prompt that keeps its directory, prints output, and passes on exit codes", async () => {
    const terminal = new Terminal(["exec"]);
    await terminal.says("answers:~$ ");
    terminal.type("mkdir -p sub && echo made > sub/x.txt\n");
    await terminal.says("answers:~$ ");
    terminal.type("cd sub && cat x.txt\n");
    expect(await terminal.says("answers:sub$ ")).toContain("\nmade\r\n");
    terminal.type("cd nowhere\n");
    expect(await terminal.says("answers:sub$ ")).toContain("nowhere");
    terminal.type("\n");
    await terminal.says("answers:sub$ ");
    terminal.type("exit 7\n");
    expect(await terminal.code()).toBe(7);
  });

  it("Ctrl-D exits with the last command's exit code, silently", async () => {
    const terminal = new Terminal(["exec"]);
    await terminal.says("answers:~$ ");
    terminal.type("false\n");
    await terminal.says("answers:~$ ");
    terminal.type("\u0004");
    expect(await terminal.code()).toBe(1);
    expect(terminal.rest()).not.toContain("wsx:");
  });

  it("exec -i passes on what is typed", async () => {
    const terminal = new Terminal(["exec", "-i", "tr a-z A-Z"]);
    terminal.type("typed\n\u0004");
    await terminal.says("TYPED");
    expect(await terminal.code()).toBe(0);
  });

  it("cp draws its progress", async () => {
    mkdirSync(join(home, "tree"));
    for (const name of ["a", "b"]) writeFileSync(join(home, "tree", name), Buffer.alloc(100_000));
    const terminal = new Terminal(["cp", "-r", "tree", ":"]);
    expect(await terminal.code()).toBe(0);
    expect(terminal.rest()).toMatch(/\[#+\] 100% {2}195 KiB of 195 KiB {2}2\/2 files/);
    const quiet = new Terminal(["-q", "cp", "-r", "tree", ":"]);
    expect([await quiet.code(), quiet.rest()]).toEqual([0, ""]);
  });
});

/** `wsx` with a terminal of its own, by script(1). */
class Terminal {
  readonly #child;
  #seen = "";

  constructor(argv: readonly string[]) {
    const words = [process.execPath, WSX, ...argv].map((word) => `'${word}'`).join(" ");
    const env = { ...process.env, XDG_CONFIG_HOME: join(home, "config"), TERM: "dumb", ...wsx.env };
    this.#child = spawn("script", ["-qec", words, "/dev/null"], { cwd: home, env, stdio: ["pipe", "pipe", "ignore"] });
    this.#child.stdout.setEncoding("utf8").on("data", (text) => (this.#seen += text));
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** The output up to these words, once they arrive; each call continues after them. */
  async says(words: string): Promise<string> {
    for (let waited = 0; ; waited += 20) {
      const at = this.#seen.indexOf(words);
      if (at !== -1) {
        const reported = this.#seen.slice(0, at);
        this.#seen = this.#seen.slice(at + words.length);
        return reported;
      }
      if (waited > 20_000) throw new Error(`"${words}" was never said: ${JSON.stringify(this.#seen)}`);
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  rest(): string {
    return this.#seen;
  }

  async code(): Promise<number | null> {
    if (this.#child.exitCode === null) await once(this.#child, "close");
    return this.#child.exitCode;
  }
}

/** One JSON value, or one a line. */
function valuesIn(text: string): unknown[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
