/**
 * Commands that read standard input, as a co-process: a line is written, the answer is waited for, and only then the next line is
 * written. `wsgit` and real git run side by side, each as a child in a repository of its own, and must answer alike, line for line.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const wsgit = join(import.meta.dirname, "../../../packages/git/bin/wsgit.mjs");
const SIDES = {
  real: { command: "git", argv: [] as string[] },
  ours: { command: process.execPath, argv: [wsgit] },
};
type Side = keyof typeof SIDES;

const env = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_AUTHOR_DATE: "1700000000 +0000",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
  GIT_COMMITTER_DATE: "1700000000 +0000",
  LC_ALL: "C",
};

let folder = "";
let created = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "co-process-"));
  // The first start bundles.
  execFileSync(process.execPath, [wsgit, "version"]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const git = (cwd: string, ...argv: string[]) =>
  execFileSync("git", argv, { cwd, env, encoding: "utf8", stdio: "pipe" }).trimEnd();

function repository(): string {
  const path = join(folder, `repository-${created++}`);
  mkdirSync(path);
  git(path, "init", "-q", "-b", "main");
  writeFileSync(join(path, ".gitignore"), "*.log\n");
  writeFileSync(join(path, ".gitattributes"), "*.md text\n");
  writeFileSync(join(path, ".mailmap"), "New <new@example.com> <old@example.com>\n");
  writeFileSync(join(path, "a.txt"), "one\n");
  git(path, "add", ".");
  git(path, "commit", "-q", "-m", "one");
  writeFileSync(join(path, "a.txt"), "two\n");
  git(path, "commit", "-q", "-a", "-m", "two");
  return path;
}

const decoder = new TextDecoder("latin1");

class CoProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  #text = "";
  #notify: () => void = () => {};
  readonly #closed: Promise<number | null>;
  stderr = "";

  constructor(side: Side, cwd: string, argv: readonly string[]) {
    const { command, argv: before } = SIDES[side];
    this.#child = spawn(command, [...before, ...argv], { cwd, env });
    this.#child.stdin.on("error", () => {});
    this.#child.stdout.on("data", (data: Uint8Array) => {
      this.#text += decoder.decode(data);
      this.#notify();
    });
    this.#child.stderr.on("data", (data: Uint8Array) => (this.stderr += decoder.decode(data)));
    this.#closed = new Promise((resolve) => this.#child.on("close", resolve));
    void this.#closed.then(() => this.#notify());
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  /** The next output up to and with `end`; all there is when the process ends first. */
  async until(end: string): Promise<string> {
    let isOver = false;
    void this.#closed.then(() => (isOver = true));
    while (!this.#text.includes(end) && !isOver) await new Promise<void>((resolve) => (this.#notify = resolve));
    const at = this.#text.indexOf(end);
    const answer = at < 0 ? this.#text : this.#text.slice(0, at + end.length);
    this.#text = this.#text.slice(answer.length);
    return answer;
  }

  /** What is left after the input ends, and how it ended. */
  async end(): Promise<[rest: string, stderr: string, exitCode: number | null]> {
    this.#child.stdin.end();
    const exitCode = await this.#closed;
    return [this.#text, this.stderr, exitCode];
  }
}

/** Each turn: what is written, and the end of the answer that is waited for before the next. */
type Turn = readonly [written: string, end: string];

async function play(side: Side, cwd: string, argv: readonly string[], turns: readonly Turn[]): Promise<unknown[]> {
  const process = new CoProcess(side, cwd, argv);
  const answers: unknown[] = [];
  for (const [written, end] of turns) {
    process.write(written);
    answers.push(await process.until(end));
  }
  answers.push(await process.end());
  return answers;
}

async function same(argv: readonly string[], turns: (cwd: string) => readonly Turn[]): Promise<unknown[]> {
  const [first, second] = [repository(), repository()];
  const [real, ours] = await Promise.all([
    play("real", first, argv, turns(first)),
    play("ours", second, argv, turns(second)),
  ]);
  expect(ours).toEqual(real);
  return ours;
}

const commands: [name: string, argv: string[], turns: (cwd: string) => Turn[]][] = [
  [
    "cat-file --batch",
    ["cat-file", "--batch"],
    () => [
      ["HEAD:a.txt\n", "two\n\n"],
      ["nothing\n", "missing\n"],
      ["HEAD~1:a.txt\n", "one\n\n"],
    ],
  ],
  [
    "cat-file --batch-check",
    ["cat-file", "--batch-check"],
    () => [
      ["HEAD\n", "\n"],
      ["HEAD^{tree}\n", "\n"],
      ["nothing\n", "\n"],
    ],
  ],
  [
    "cat-file --batch-check -z",
    ["cat-file", "--batch-check", "-z"],
    () => [
      ["HEAD\0", "\n"],
      ["no\nthing\0", "missing\n"],
    ],
  ],
  [
    "cat-file --batch-command",
    ["cat-file", "--batch-command"],
    () => [
      ["info HEAD\n", "\n"],
      ["contents HEAD:a.txt\n", "two\n\n"],
      ["info nothing\n", "\n"],
    ],
  ],
  [
    "cat-file --batch-command --buffer",
    ["cat-file", "--batch-command", "--buffer"],
    () => [
      ["info HEAD\ninfo HEAD~1\nflush\n", "\n"],
      ["", "\n"],
      ["contents HEAD:a.txt\nflush\n", "two\n\n"],
    ],
  ],
  [
    "check-ignore --stdin",
    ["check-ignore", "--stdin", "-v", "-n"],
    () => [
      ["x.log\n", "\n"],
      ["x.txt\n", "\n"],
      ['"q\\tx.log"\n', "\n"],
    ],
  ],
  [
    "check-ignore --stdin -z",
    ["check-ignore", "--stdin", "-z"],
    () => [
      ["x.log\0", "\0"],
      ["y.log\0", "\0"],
    ],
  ],
  [
    "check-attr --stdin",
    ["check-attr", "--stdin", "text"],
    () => [
      ["x.md\n", "\n"],
      ["x.txt\n", "\n"],
    ],
  ],
  [
    "check-attr --stdin -z -a",
    ["check-attr", "--stdin", "-z", "-a"],
    () => [
      ["x.md\0", "set\0"],
      ["y.md\0", "set\0"],
    ],
  ],
  [
    "check-mailmap --stdin",
    ["check-mailmap", "--stdin"],
    () => [
      ["Old <old@example.com>\n", "\n"],
      ["Other <other@example.com>\n", "\n"],
    ],
  ],
  [
    "hash-object --stdin-paths",
    ["hash-object", "--stdin-paths"],
    () => [
      ["a.txt\n", "\n"],
      [".mailmap\n", "\n"],
    ],
  ],
  [
    "hash-object --stdin-paths -w",
    ["hash-object", "-w", "--stdin-paths"],
    () => [
      ["a.txt\n", "\n"],
      ['"a.txt"\n', "\n"],
    ],
  ],
  [
    "diff-tree --stdin",
    ["diff-tree", "--stdin", "--name-only"],
    (cwd) => [
      [`${git(cwd, "rev-parse", "HEAD")}\n`, "a.txt\n"],
      ["no object\n", "no object\n"],
      [`${git(cwd, "rev-parse", "HEAD")} ${git(cwd, "rev-parse", "HEAD~1")}\n`, "a.txt\n"],
    ],
  ],
  [
    "update-ref --stdin",
    ["update-ref", "--stdin"],
    () => [
      ["start\n", "start: ok\n"],
      ["create refs/heads/new HEAD\nverify refs/heads/main HEAD\nprepare\n", "prepare: ok\n"],
      ["commit\n", "commit: ok\n"],
      ["start\n", "start: ok\n"],
      ["delete refs/heads/new\nabort\n", "abort: ok\n"],
      ["start\nupdate refs/heads/new HEAD~1 HEAD\ncommit\n", "commit: ok\n"],
    ],
  ],
  [
    "update-ref --stdin -z",
    ["update-ref", "--stdin", "-z"],
    (cwd) => [
      ["start\0", "start: ok\n"],
      [`create refs/heads/new\0${git(cwd, "rev-parse", "HEAD")}\0prepare\0`, "prepare: ok\n"],
      ["commit\0", "commit: ok\n"],
    ],
  ],
  [
    "update-ref --stdin, refused at prepare",
    ["update-ref", "--stdin"],
    () => [
      ["start\n", "start: ok\n"],
      ["create refs/heads/main HEAD\nprepare\n", "ok\n"],
    ],
  ],
  [
    "update-ref --stdin, refused at commit",
    ["update-ref", "--stdin"],
    () => [
      ["start\n", "start: ok\n"],
      ["update refs/heads/main HEAD~1 HEAD~1\ncommit\n", "ok\n"],
    ],
  ],
  [
    "update-ref --stdin, more after prepare",
    ["update-ref", "--stdin"],
    () => [
      ["start\ncreate refs/heads/new HEAD\nprepare\n", "prepare: ok\n"],
      ["create refs/heads/other HEAD\n", "ok\n"],
    ],
  ],
];

it.each(commands)("%s answers each line before the next is written", async (_, argv, turns) => {
  await same(argv, turns);
});

it("name-rev --annotate-stdin answers each line, where git may gather some", async () => {
  const cwd = repository();
  const oid = git(cwd, "rev-parse", "HEAD~1");
  const answers = await play(
    "ours",
    cwd,
    ["name-rev", "--annotate-stdin"],
    [
      [`at ${oid}.\n`, "\n"],
      ["none\n", "\n"],
    ],
  );
  expect(answers).toEqual([`at ${oid} (main~1).\n`, "none\n", ["", "", 0]]);
});

it.each(["real", "ours"] as const)(
  "cat-file --batch of %s git sees objects that are made while it runs",
  async (side) => {
    const cwd = repository();
    const process = new CoProcess(side, cwd, ["cat-file", "--batch-check"]);
    process.write("refs/heads/later\n");
    expect(await process.until("\n")).toBe("refs/heads/later missing\n");
    git(cwd, "commit", "-q", "--allow-empty", "-m", "three");
    git(cwd, "branch", "later");
    process.write("refs/heads/later\n");
    expect(await process.until("\n")).toMatch(/^[0-9a-f]{40} commit \d+\n$/);
    git(cwd, "repack", "-a", "-d", "-q");
    process.write("HEAD:a.txt\n");
    expect(await process.until("\n")).toMatch(/^[0-9a-f]{40} blob 4\n$/);
    expect(await process.end()).toEqual(["", "", 0]);
  },
);

it.each(["real", "ours"] as const)(
  "a prepared transaction of %s git holds its locks until it is over",
  async (side) => {
    const cwd = repository();
    const lock = join(cwd, ".git/refs/heads/main.lock");
    const process = new CoProcess(side, cwd, ["update-ref", "--stdin"]);
    process.write("start\nupdate refs/heads/main HEAD~1\nprepare\n");
    expect(await process.until("prepare: ok\n")).toBe("start: ok\nprepare: ok\n");
    expect(existsSync(lock)).toBe(true);
    expect(() => git(cwd, "update-ref", "refs/heads/main", "HEAD~1")).toThrow("Unable to create");
    // The end of the input is no commit.
    expect((await process.end())[2]).toBe(0);
    expect(existsSync(lock)).toBe(false);
    expect(git(cwd, "log", "-1", "--format=%s", "main")).toBe("two");
  },
);
