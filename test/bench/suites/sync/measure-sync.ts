/**
 * A workspace and `workspaced` as a plain process, over loopback: what a command costs beside the bare process, what a sync costs when
 * nothing changed, how fast files and bytes go each way, and work inside the tree beside the same work outside it. Goals are the issue's.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDaemon } from "../../../../container/build.mjs";
import { median } from "../../harness/median.ts";
import { startWorker } from "../mcp/start-worker.ts";
import type { SyncWork } from "./sync-worker.ts";

const BUNDLE = "workspaced.mjs";
const COMMANDS = 20;
const LARGE = 256 * 1024 * 1024;

interface Row {
  label: string;
  unit: string;
  goal: string;
  values: number[];
}

export async function measureSync(root: string, rounds: number, progress: (text: string) => void) {
  const base = mkdtempSync(join(tmpdir(), "workspace-sync-bench-"));
  try {
    await buildDaemon({ entry: join(root, "container/src/main.ts"), outfile: join(base, BUNDLE) });
    await using worker = await startWorker(root, {
      entry: "test/bench/suites/sync/sync-worker.ts",
      objects: { SYNC: "SyncObject" },
      loopback: true,
    });
    const rows: Record<string, Row> = {};
    const note = (label: string, unit: string, goal: string, value: number) =>
      (rows[label] ??= { label, unit, goal, values: [] }).values.push(value);
    for (let round = 0; round < rounds; round++) {
      progress(`round ${round + 1}`);
      await command(base, worker.origin, round, note);
      await unchanged(base, worker.origin, round, note);
      await small(base, worker.origin, round, note);
      await large(base, worker.origin, round, note);
      await inside(base, round, note);
    }
    return { data: rows, text: table(Object.values(rows)) };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

type Note = (label: string, unit: string, goal: string, value: number) => void;

async function command(base: string, origin: string, round: number, note: Note): Promise<void> {
  await using pair = await Pair.start(base, origin, `command${round}`);
  await pair.do({ do: "write", files: 500, size: 3000 });
  await pair.do({ do: "sync" });
  await pair.do({ do: "exec", command: "true", times: 3 });
  const whole = (await pair.do({ do: "exec", command: "true", times: COMMANDS })) / COMMANDS;
  const started = performance.now();
  for (let i = 0; i < COMMANDS; i++)
    await new Promise((resolve) =>
      spawn("/bin/bash", ["-c", "true"], { stdio: ["ignore", "pipe", "pipe"] }).once("exit", resolve),
    );
  const bare = (performance.now() - started) / COMMANDS;
  note("a trivial command adds to the bare process, 500-file tree", "ms", "≤ 15", whole - bare);
}

async function unchanged(base: string, origin: string, round: number, note: Note): Promise<void> {
  await using pair = await Pair.start(base, origin, `unchanged${round}`);
  await pair.do({ do: "write", files: 20_000, size: 300 });
  await pair.do({ do: "sync" });
  await pair.do({ do: "sync" });
  note("a sync with no change, 20 000 files", "ms", "≤ 150", await pair.do({ do: "sync" }));
}

async function small(base: string, origin: string, round: number, note: Note): Promise<void> {
  await using pair = await Pair.start(base, origin, `small${round}`);
  await pair.do({ do: "write", files: 10_000, size: 2000, salt: "a" });
  await pair.do({ do: "sync" });
  await pair.do({ do: "write", files: 10_000, size: 2000, salt: "b" });
  note("10 000 changed files pushed", "files/s", "≥ 5000", 10_000 / ((await pair.do({ do: "push" })) / 1000));
  for (let n = 0; n < 10_000; n++)
    writeFileSync(join(pair.root, `d${n % 200}`, `f${n}.txt`), `c${n} `.padEnd(2000, "y"));
  note("10 000 changed files pulled", "files/s", "≥ 5000", 10_000 / ((await pair.do({ do: "sync" })) / 1000));
}

async function large(base: string, origin: string, round: number, note: Note): Promise<void> {
  await using pair = await Pair.start(base, origin, `large${round}`);
  await pair.do({ do: "push" });
  await pair.do({ do: "large", size: LARGE });
  const rate = (ms: number) => LARGE / 1e6 / (ms / 1000);
  note("a 256 MiB file pushed", "MB/s", "≥ 100", rate(await pair.do({ do: "push" })));
  execFileSync("dd", ["if=/dev/urandom", `of=${join(pair.root, "other")}`, "bs=1M", "count=256", "status=none"]);
  note("a 256 MiB file pulled", "MB/s", "≥ 100", rate(await pair.do({ do: "sync" })));
}

/** The same script in the daemon's tree and beside it: it is the same disk. */
async function inside(base: string, round: number, note: Note): Promise<void> {
  const tarball = join(base, "many.tar");
  if (round === 0) {
    const from = join(base, "many");
    for (let d = 0; d < 200; d++) {
      mkdirSync(join(from, `d${d}`), { recursive: true });
      for (let f = 0; f < 100; f++) writeFileSync(join(from, `d${d}`, `f${f}`), "x".repeat(300));
    }
    execFileSync("tar", ["cf", tarball, "-C", from, "."]);
  }
  const script = (directory: string) =>
    `mkdir -p ${directory} && cd ${directory} && tar xf ${tarball} && git init -q . && git add -A && git status --short > /dev/null && find . -type f | xargs cat > /dev/null`;
  const timed = (directory: string) => {
    const started = performance.now();
    execFileSync("/bin/bash", ["-c", script(directory)]);
    return performance.now() - started;
  };
  await using daemon = await startDaemon(base, `inside${round}`);
  const order = round % 2 === 0;
  const first = timed(order ? join(daemon.root, "work") : join(base, `beside${round}`));
  const second = timed(order ? join(base, `beside${round}`) : join(daemon.root, "work"));
  note(
    "unpack, git add and status, read 20 000 files: in the tree / beside it",
    "×",
    "1.0",
    order ? first / second : second / first,
  );
}

class Pair implements AsyncDisposable {
  readonly root: string;
  readonly #url: string;
  readonly #daemon: { root: string; address: string } & AsyncDisposable;

  private constructor(url: string, daemon: { root: string; address: string } & AsyncDisposable) {
    this.#url = url;
    this.#daemon = daemon;
    this.root = daemon.root;
  }

  static async start(base: string, origin: string, name: string): Promise<Pair> {
    return new Pair(`${origin}/${name}`, await startDaemon(base, name));
  }

  /** How many milliseconds it took. */
  async do(work: Omit<SyncWork, "address">): Promise<number> {
    const started = performance.now();
    const body = JSON.stringify({ ...work, address: this.#daemon.address });
    const response = await fetch(this.#url, { method: "POST", body });
    if (!response.ok) throw new Error(`${work.do}: ${response.status} ${await response.text()}`);
    await response.text();
    return performance.now() - started;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#daemon[Symbol.asyncDispose]();
  }
}

async function startDaemon(base: string, name: string) {
  const root = join(base, name);
  mkdirSync(root);
  const child = spawn(process.execPath, [join(base, BUNDLE), "--root", root, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (data) => {
      const match = /127\.0\.0\.1:(\d+)/.exec(String(data));
      if (match) resolve(match[1] as string);
    });
    child.once("exit", reject);
  });
  return {
    root,
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ label, unit, goal, values }) => {
    const middle = median(values);
    return `| ${label} | ${middle < 10 ? middle.toFixed(2) : Math.round(middle)} ${unit} | ${goal} |`;
  });
  return ["| | median | goal |", "|---|---:|---:|", ...lines].join("\n").concat("\n");
}
