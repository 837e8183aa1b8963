/** A row per tool: so many calls on a tree of small files, timed and counted. A tool without a row fails the suite. */
import type { FsSubject, TextFile } from "../../contender.ts";
import type { CountRow, Params, Row } from "../../suite.ts";
import { makeText } from "../../worker/corpus.ts";

const ROOT = "/workspace/tree";
const FILES = 500;
const PER_DIRECTORY = 25;

export interface Load {
  readonly files: readonly TextFile[];
}

export function load({ seed }: Params): Load {
  return { files: Array.from({ length: FILES }, (_, i) => ({ ...makeText(6000, seed + i), path: pathOf(i) })) };
}

const pathOf = (i: number) => `${ROOT}/d${Math.floor((i % FILES) / PER_DIRECTORY)}/f${i % FILES}.ts`;

interface ToolCase {
  tool: string;
  /** Calls of one round. */
  calls: number;
  input(i: number): Record<string, unknown>;
  /**
   * Statements of one call when the directory is known. The notes of the calls (an audit row each, and a row for a version seen for the
   * first time) are written after the turn, two statements for a hundred of them; a test beside `PendingRows` counts those.
   */
  statements: number;
}

const MARK = "mark = 0;";
const WRITES = 300;
const MOVES = 100;
const CASES: readonly ToolCase[] = [
  { tool: "read", calls: 500, input: (i) => ({ path: pathOf(i) }), statements: 1 },
  { tool: "exists", calls: 1000, input: (i) => ({ path: pathOf(i) }), statements: 0 },
  { tool: "info", calls: 1000, input: (i) => ({ path: pathOf(i) }), statements: 0 },
  { tool: "list", calls: 200, input: (i) => ({ path: `${ROOT}/d${i % 20}` }), statements: 1 },
  { tool: "tree", calls: 50, input: () => ({ path: ROOT }), statements: 3 },
  { tool: "glob", calls: 100, input: () => ({ pattern: "**/*7.ts", cwd: ROOT }), statements: 0 },
  { tool: "find", calls: 100, input: () => ({ path: ROOT, name: "*7.ts" }), statements: 0 },
  { tool: "stats", calls: 50, input: () => ({ path: ROOT }), statements: 2 },
  { tool: "changes", calls: 50, input: () => ({ path: "/workspace", limit: 100 }), statements: 1 },
  { tool: "grep", calls: 10, input: () => ({ pattern: "zzzunlikely", path: ROOT }), statements: 6 },
  {
    tool: "write",
    calls: WRITES,
    input: (i) => ({ path: `${ROOT}/new/w${i}.ts`, content: `${MARK}\n${"x\n".repeat(500)}` }),
    statements: 5,
  },
  {
    tool: "edit",
    calls: WRITES,
    input: (i) => ({ path: `${ROOT}/new/w${i}.ts`, oldString: MARK, newString: "mark = 1;" }),
    statements: 4,
  },
  {
    tool: "apply_patch",
    calls: WRITES,
    input: (i) => ({ path: `${ROOT}/new/w${i}.ts`, patch: "@@ -1,3 +1,3 @@\n-mark = 1;\n+mark = 2;\n x\n x\n" }),
    statements: 4,
  },
  {
    tool: "copy",
    calls: MOVES,
    input: (i) => ({ from: `${ROOT}/new/w${i}.ts`, to: `${ROOT}/new/c${i}.ts` }),
    statements: 4,
  },
  {
    tool: "move",
    calls: MOVES,
    input: (i) => ({ from: `${ROOT}/new/c${i}.ts`, to: `${ROOT}/new/m${i}.ts` }),
    statements: 3,
  },
  { tool: "delete", calls: MOVES, input: (i) => ({ path: `${ROOT}/new/m${i}.ts` }), statements: 3 },
  { tool: "undo", calls: 20, input: (i) => ({ callId: `undo-${i}` }), statements: 7 },
  { tool: "exec", calls: 10, input: () => ({ command: "echo hello" }), statements: 3 },
  { tool: "exec_output", calls: 50, input: () => ({ id: "bench-command" }), statements: 2 },
  { tool: "exec_kill", calls: 50, input: () => ({ id: "bench-command" }), statements: 2 },
  {
    tool: "git",
    calls: 20,
    input: () => ({ argv: ["status", "--short"], cwd: "/workspace/repository" }),
    statements: 11,
  },
  { tool: "browse", calls: 500, input: () => ({ port: 8080 }), statements: 0 },
  { tool: "web_fetch", calls: 100, input: (i) => ({ url: `https://example.com/page-${i}` }), statements: 0 },
  { tool: "web_search", calls: 100, input: (i) => ({ query: `words ${i}` }), statements: 0 },
  { tool: "agent_spawn", calls: 100, input: () => ({ task: "say one word" }), statements: 2 },
  { tool: "agent_send", calls: 100, input: () => ({ targetAgentId: "other", message: "a word" }), statements: 5 },
];

export const rows: Row<Load>[] = CASES.map(({ tool, calls, input }, i) => ({
  id: tool,
  label: `${tool}, ${calls} calls`,
  group: "tools",
  // Not slower than half as long again.
  goals: { beneath: { atLeast: 1 / 1.5 } },
  prepare: async (fs, given) => {
    if (i === 0) await fill(fs, given);
    await prepared(fs, tool, calls);
  },
  run: async (fs) => {
    for (let call = 0; call < calls; call++) await callTool(fs, tool, input(call));
  },
}));

async function fill(fs: FsSubject, { files }: Load): Promise<void> {
  if (fs.writeMany === undefined) throw new Error("it cannot write many");
  await fs.writeMany(files);
  await fs.makeDirectories(`${ROOT}/new`);
  // A set of tools is made once in an object's life.
  await callTool(fs, "exists", { path: ROOT });
}

function callTool(fs: FsSubject, tool: string, input: Record<string, unknown>): Promise<unknown> {
  if (fs.tool === undefined) throw new Error("it has no tools");
  return fs.tool(tool, input);
}

async function prepared(fs: FsSubject, tool: string, calls: number): Promise<void> {
  await fs.prepareTool?.(tool, calls);
}

export async function beforeCounts(fs: FsSubject, given: Load): Promise<void> {
  await fill(fs, given);
  const without = (await fs.toolNames?.())?.filter((name) => !CASES.some(({ tool }) => tool === name)) ?? [];
  if (without.length > 0) throw new Error(`these tools have no row in the bench: ${without.join(", ")}`);
  await callTool(fs, "read", { path: pathOf(0) });
}

export const counts: CountRow<Load>[] = CASES.map(({ tool, input, statements }) => ({
  id: tool,
  label: `${tool}, one call`,
  budget: { statements },
  prepare: (fs) => prepared(fs, tool, 2),
  run: (fs) => callTool(fs, tool, input(1)),
}));
