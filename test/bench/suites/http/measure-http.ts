/**
 * The HTTP API beside a bare Worker that answers from one SQL row: reads and writes of a small file on 8 connections, and the live feed
 * with 100 watchers. Each row is done by both in turn, in an order that rotates; the number is the median of the rounds.
 */
import { median } from "../../harness/median.ts";
import { startWorker } from "../../harness/start-worker.ts";
import { ask, load, type Measured, type Target } from "./load.ts";
import { watch } from "./watch.ts";

const TOKEN = "bench-token-0123456789-0123456789";
const CONNECTIONS = 8;
const CALLS = 600;
const WATCHERS = 100;
const WRITES = 30;
const CONTENT = Buffer.from("A line of text, as long as lines are.\n".repeat(80));
const FILES = "/api/w/bench/files";

const ROWS: readonly { label: string; run(target: Target): Promise<Measured> }[] = [
  {
    label: "read a file, 3 KB",
    run: (target) =>
      load(target, () => ({ method: "GET", path: `${FILES}/a.txt` }), { connections: CONNECTIONS, calls: CALLS }),
  },
  {
    label: "write a file, 3 KB",
    run: (target) =>
      load(target, (n) => ({ method: "PUT", path: `${FILES}/b${n}.txt`, body: CONTENT }), {
        connections: CONNECTIONS,
        calls: CALLS,
      }),
  },
  {
    label: `live feed, ${WATCHERS} watchers: messages, and from the write to the last of them`,
    run: (target) =>
      watch(
        target,
        "/api/w/bench/changes/live",
        (n) => ({ method: "PUT", path: `${FILES}/c.txt`, body: Buffer.from(`${n}`) }),
        {
          watchers: WATCHERS,
          writes: WRITES,
        },
      ),
  },
];

export async function measureHttp(
  root: string,
  rounds: number,
  progress: (text: string) => void,
): Promise<{ text: string; data: unknown }> {
  progress("starting the Workers");
  await using ours = await startWorker(root, {
    entry: "packages/worker/src/index.ts",
    objects: { WORKSPACE: "WorkspaceObject", REGISTRY: "RegistryObject" },
    // One client here does the work of thousands.
    text: { WORKSPACE_TOKEN: TOKEN, WORKSPACE_RATE: "1000000" },
  });
  await using bare = await startWorker(root, {
    entry: "test/bench/suites/http/bare-worker.ts",
    objects: { BARE: "BareObject" },
  });
  const targets: Record<string, Target> = {
    ours: { origin: ours.origin, headers: { Authorization: `Bearer ${TOKEN}` } },
    "bare Worker": { origin: bare.origin, headers: {} },
  };
  const names = Object.keys(targets);
  for (const target of Object.values(targets)) {
    for (const file of ["a.txt", "c.txt"])
      await ask(target, { method: "PUT", path: `${FILES}/${file}`, body: CONTENT });
    // So that nothing is compiled or cold when the clock runs.
    for (const { run } of ROWS.slice(0, 2)) await run(target);
  }
  const measured: Record<string, Record<string, Measured[]>> = {};
  for (let round = 0; round < rounds; round++) {
    for (const { label, run } of ROWS) {
      for (const name of names.map((_, at) => names[(at + round) % names.length] as string)) {
        progress(`round ${round + 1}: ${label}, ${name}`);
        ((measured[label] ??= {})[name] ??= []).push(await run(targets[name] as Target));
      }
    }
  }
  return { data: measured, text: table(measured, names) };
}

function table(measured: Record<string, Record<string, Measured[]>>, names: readonly string[]): string {
  const head = `| a second (p50, p99 in ms) | ${names.join(" | ")} |\n|---|${names.map(() => "---").join("|")}|\n`;
  const cell = (rounds: readonly Measured[] = []) => {
    const of = (pick: (one: Measured) => number) => median(rounds.map(pick));
    return `${Math.round(of((one) => one.perSecond))} (${of((one) => one.p50Ms).toFixed(1)}, ${of((one) => one.p99Ms).toFixed(1)})`;
  };
  const lines = Object.entries(measured).map(
    ([label, byName]) => `| ${label} | ${names.map((name) => cell(byName[name])).join(" | ")} |`,
  );
  return `${head}${lines.join("\n")}\n`;
}
