/**
 * MCP calls a second and their latency: ours without a session and with one, the same tools behind the official SDK's server, and a
 * bare Worker that answers from one SQL row. Each row is done by all in turn, in an order that rotates; the number is the median.
 */
import { median } from "../../harness/median.ts";
import { startWorker } from "../../harness/start-worker.ts";
import { ask, load, type Measured, type Target, type Work } from "./load.ts";

const TOKEN = "bench-token-0123456789-0123456789";
const CONNECTIONS = 8;
const CALLS = 400;
const CONTENT = `${"A line of text, as long as lines are.\n".repeat(80)}`;

const ROWS: readonly { label: string; work: Work }[] = [
  {
    label: "tools/call read, 3 KB",
    work: { method: "tools/call", params: () => ({ name: "read", arguments: { path: "/workspace/a.txt" } }) },
  },
  {
    label: "tools/call write, 3 KB",
    work: {
      method: "tools/call",
      params: (connection) => ({
        name: "write",
        arguments: { path: `/workspace/b${connection}.txt`, content: CONTENT },
      }),
    },
  },
  {
    label: "resources/read, 3 KB",
    work: { method: "resources/read", params: () => ({ uri: "workspace://bench/a.txt" }) },
  },
  { label: "tools/list", work: { method: "tools/list", params: () => ({}) } },
];

/** Row → contender → rounds. */
type Rounds = Record<string, Record<string, Measured[]>>;

export async function measureMcp(
  root: string,
  rounds: number,
  progress: (text: string) => void,
): Promise<{ text: string; data: unknown }> {
  progress("starting the Workers");
  const objects = { WORKSPACE: "WorkspaceObject", REGISTRY: "RegistryObject" };
  await using ours = await startWorker(root, {
    entry: "packages/worker/src/index.ts",
    objects,
    text: { WORKSPACE_TOKEN: TOKEN, WORKSPACE_RATE: "1000000" },
  });
  await using sdk = await startWorker(root, {
    entry: "test/bench/suites/mcp/sdk-worker.ts",
    objects: { WORKSPACE: "HttpWorkspaceObject", REGISTRY: "RegistryObject" },
  });
  await using bare = await startWorker(root, {
    entry: "test/bench/suites/mcp/bare-worker.ts",
    objects: { BARE: "BareObject" },
  });
  const own: Target = { url: `${ours.origin}/mcp/bench`, headers: { Authorization: `Bearer ${TOKEN}` } };
  const targets: Record<string, Target> = {
    ours: own,
    "ours, in a session": { ...own, headers: { ...own.headers, "Mcp-Session-Id": await openSession(own) } },
    "SDK's server": { url: sdk.origin, headers: {} },
    "bare Worker": { url: bare.origin, headers: {} },
  };
  const names = Object.keys(targets);
  for (const name of names) await prepare(targets[name] as Target);
  const measured: Rounds = {};
  for (let round = 0; round < rounds; round++) {
    for (const { label, work } of ROWS) {
      const turn = names.map((_, at) => names[(at + round) % names.length] as string);
      for (const name of turn) {
        progress(`round ${round + 1}: ${label}, ${name}`);
        const result = await load(targets[name] as Target, work, { connections: CONNECTIONS, calls: CALLS });
        ((measured[label] ??= {})[name] ??= []).push(result);
      }
    }
  }
  return { data: measured, text: table(measured, names) };
}

async function openSession(target: Target): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  return (await ask(target, "initialize", params)) as string;
}

/** The file that is read, and a round of everything, so that nothing is compiled or cold when the clock runs. */
async function prepare(target: Target): Promise<void> {
  await ask(target, "tools/call", { name: "write", arguments: { path: "/workspace/a.txt", content: CONTENT } });
  for (const { work } of ROWS) await load(target, work, { connections: CONNECTIONS, calls: 50 });
}

function table(measured: Rounds, names: readonly string[]): string {
  const head = `| calls/s (p50, p99 in ms) | ${names.join(" | ")} |\n|---|${names.map(() => "---").join("|")}|\n`;
  const cell = (rounds: readonly Measured[] = []) => {
    const middle = (pick: (one: Measured) => number) => median(rounds.map(pick));
    return `${Math.round(middle((one) => one.callsPerSecond))} (${middle((one) => one.p50Ms).toFixed(1)}, ${middle((one) => one.p99Ms).toFixed(1)})`;
  };
  const rows = Object.entries(measured).map(
    ([label, by]) => `| ${label} | ${names.map((name) => cell(by[name])).join(" | ")} |\n`,
  );
  return head + rows.join("");
}
