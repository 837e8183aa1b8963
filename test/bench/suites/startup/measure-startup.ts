/**
 * What an import costs a cold Worker: the processor time of a fresh workerd up to its first answer, which writes and reads one file.
 * Processor time, because it hardly depends on the machine's load. Linux only.
 */
import { readdirSync, readFileSync } from "node:fs";
import { median } from "../../harness/median.ts";
import { startWorker } from "../../harness/start-worker.ts";

const WORKERS = { "no import": "empty", "`/core`": "core", "`@cloudflare/workspace`": "whole" } as const;
/** A start takes a fraction of a second. */
const STARTS_PER_ROUND = 3;

export async function measureStartup(root: string, rounds: number, progress: (text: string) => void) {
  const figures = Object.entries(WORKERS).map(([label, name]) => ({ label, name, cpuMs: [] as number[] }));
  for (let round = 0; round < rounds * STARTS_PER_ROUND; round++) {
    progress(`start ${round + 1}`);
    for (const { name, cpuMs } of figures) {
      const deployment = { entry: `test/bench/suites/startup/${name}-worker.ts`, objects: { BOX: "Box" } };
      await using server = await startWorker(root, deployment);
      cpuMs.push(cpuMilliseconds(server.pid));
    }
  }
  const core = median(figures.find(({ name }) => name === "core")?.cpuMs ?? []);
  const lines = figures.map(({ label, cpuMs }) => {
    const cpu = median(cpuMs);
    return `| ${label} | ${cpu.toFixed(0)} | ${Math.min(...cpuMs).toFixed(0)} | ${(cpu / core).toFixed(1)}× |`;
  });
  const text = ["| a Worker with | ms of CPU, median | least | of `/core` |", "|---|---:|---:|---:|", ...lines].join(
    "\n",
  );
  return { data: figures, text: `${text}\n` };
}

/** Of all threads of a process. The first number of `schedstat` is the time on a processor, in nanoseconds. */
function cpuMilliseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const spent = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return spent.reduce((sum, one) => sum + one, 0) / 1e6;
}
