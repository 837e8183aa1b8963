/**
 * A workspace and `workspaced` as a plain process, over loopback: what a command costs beside the bare process, what a sync costs when
 * nothing changed, how fast files and bytes go each way, and work inside the tree beside the same work outside it. Goals are the issue's.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDaemon } from "../../../../container/build.mjs";
import { median } from "../../harness/median.ts";
import { type Running, startWorker } from "../../harness/start-worker.ts";
import { BUNDLE, Pair, startDaemon } from "./pair.ts";
import { workInTree } from "./work-in-tree.ts";

const COMMANDS = 20;
const LARGE = 256 * 1024 * 1024;

interface Row {
  label: string;
  unit: string;
  goal: string;
  values: number[];
}

export async function measureSync(root: string, rounds: number, progress: (text: string) => void, only?: string[]) {
  const base = mkdtempSync(join(tmpdir(), "workspace-sync-bench-"));
  try {
    await buildDaemon({ entry: join(root, "container/src/main.ts"), outfile: join(base, BUNDLE) });
    await using worker = await startWorker(root, {
      entry: "test/bench/suites/sync/sync-worker.ts",
      objects: { SYNC: "SyncObject" },
      loopback: true,
    });
    const rows: Record<string, Row> = {};
    const note = (label: string, unit: string, goal: string, value: number) => {
      const row = (rows[label] ??= { label, unit, goal, values: [] });
      row.values.push(value);
      return row;
    };
    for (let round = 0; round < rounds; round++) {
      for (const [step, measure] of Object.entries(steps)) {
        if (only !== undefined && !only.includes(step)) continue;
        progress(`round ${round + 1}, ${step}`);
        await measure({ base, worker, round, note });
      }
    }
    return { data: rows, text: table(Object.values(rows)) };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

interface Step {
  base: string;
  worker: Running;
  round: number;
  note(label: string, unit: string, goal: string, value: number): Row;
}

async function command({ base, worker, round, note }: Step): Promise<void> {
  await using pair = await Pair.start(base, worker, `command${round}`);
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

async function unchanged({ base, worker, round, note }: Step): Promise<void> {
  await using pair = await Pair.start(base, worker, `unchanged${round}`);
  await pair.do({ do: "write", files: 20_000, size: 300 });
  await pair.do({ do: "sync" });
  await pair.do({ do: "sync" });
  note("a sync with no change, 20 000 files", "ms", "≤ 150", await pair.do({ do: "sync" }));
}

async function small({ base, worker, round, note }: Step): Promise<void> {
  await using pair = await Pair.start(base, worker, `small${round}`);
  await pair.do({ do: "write", files: 10_000, size: 2000, salt: "a" });
  await pair.do({ do: "sync" });
  await pair.do({ do: "write", files: 10_000, size: 2000, salt: "b" });
  note("10 000 changed files pushed", "files/s", "≥ 5000", 10_000 / ((await pair.do({ do: "push" })) / 1000));
  for (let n = 0; n < 10_000; n++)
    writeFileSync(join(pair.root, `d${n % 200}`, `f${n}.txt`), `c${n} `.padEnd(2000, "y"));
  note("10 000 changed files pulled", "files/s", "≥ 5000", 10_000 / ((await pair.do({ do: "sync" })) / 1000));
}

async function large({ base, worker, round, note }: Step): Promise<void> {
  await using pair = await Pair.start(base, worker, `large${round}`);
  await pair.do({ do: "push" });
  await pair.do({ do: "large", size: LARGE });
  const rate = (ms: number) => LARGE / 1e6 / (ms / 1000);
  note("a 256 MiB file pushed", "MB/s", "≥ 100", rate(await pair.do({ do: "push" })));
  execFileSync("dd", ["if=/dev/urandom", `of=${join(pair.root, "other")}`, "bs=1M", "count=256", "status=none"]);
  note("a 256 MiB file pulled", "MB/s", "≥ 100", rate(await pair.do({ do: "sync" })));
}

/** What the disk allows: as many files written beside their place and renamed over what is there, by this process alone. */
async function bare({ base, round, note }: Step): Promise<void> {
  const root = join(base, `bare${round}`);
  for (let d = 0; d < 200; d++) mkdirSync(join(root, `d${d}`), { recursive: true });
  const content = "x".repeat(2000);
  const write = () => {
    for (let n = 0; n < 10_000; n++) {
      const aside = join(root, `n${n}`);
      writeFileSync(aside, content, { flag: "wx" });
      renameSync(aside, join(root, `d${n % 200}`, `f${n}.txt`));
    }
  };
  write();
  const started = performance.now();
  write();
  note(
    "10 000 files written and renamed by a bare process",
    "files/s",
    "",
    10_000 / ((performance.now() - started) / 1000),
  );
  rmSync(root, { recursive: true, force: true });
}

/** A daemon that holds the tree, and nothing to do for it. */
async function inside({ base, round, note }: Step): Promise<void> {
  await using daemon = await startDaemon(base, `inside${round}`);
  await workInTree(base, daemon.root, round, (label, ratio) =>
    note(`${label}: in the tree / beside it`, "×", "1.0", ratio),
  );
}

/** The same while a command runs: the daemon looks at the tree every second, and what appears there is taken. */
async function alive({ base, worker, round, note }: Step): Promise<void> {
  await using pair = await Pair.start(base, worker, `alive${round}`);
  await pair.do({ do: "sync" });
  const command = pair.do({ do: "exec", command: "while [ ! -e stop ]; do sleep 0.1; done" });
  await workInTree(base, pair.root, round, (label, ratio) =>
    note(`${label}: in the tree of a live command / beside it`, "×", "", ratio),
  );
  writeFileSync(join(pair.root, "stop"), "");
  await command;
}

const steps: Readonly<Record<string, (step: Step) => Promise<void>>> = {
  command,
  unchanged,
  small,
  bare,
  large,
  inside,
  alive,
};

function table(rows: readonly Row[]): string {
  const lines = rows.map(({ label, unit, goal, values }) => {
    const middle = median(values);
    return `| ${label} | ${middle < 10 ? middle.toFixed(2) : Math.round(middle)} ${unit} | ${goal} |`;
  });
  return ["| | median | goal |", "|---|---:|---:|", ...lines].join("\n").concat("\n");
}
