/** A row per tool: so many calls on a tree of small files, timed and counted. */
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

const pathOf = (i: number) => `${ROOT}/d${Math.floor(i / PER_DIRECTORY)}/f${i}.ts`;

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
const CASES: readonly ToolCase[] = [
  { tool: "read", calls: 200, input: (i) => ({ path: pathOf(i) }), statements: 1 },
  { tool: "exists", calls: 200, input: (i) => ({ path: pathOf(i) }), statements: 0 },
  { tool: "info", calls: 200, input: (i) => ({ path: pathOf(i) }), statements: 0 },
  { tool: "list", calls: 20, input: (i) => ({ path: `${ROOT}/d${i % 20}` }), statements: 1 },
  { tool: "tree", calls: 10, input: () => ({ path: ROOT }), statements: 3 },
  { tool: "glob", calls: 10, input: () => ({ pattern: "**/*7.ts", cwd: ROOT }), statements: 0 },
  { tool: "find", calls: 10, input: () => ({ path: ROOT, name: "*7.ts" }), statements: 0 },
  { tool: "stats", calls: 10, input: () => ({ path: ROOT }), statements: 2 },
  { tool: "changes", calls: 10, input: () => ({ limit: 100 }), statements: 1 },
  { tool: "grep", calls: 5, input: () => ({ pattern: "zzzunlikely", path: ROOT }), statements: 6 },
  {
    tool: "write",
    calls: 100,
    input: (i) => ({ path: `${ROOT}/new/w${i}.ts`, content: `${MARK}\n${"x\n".repeat(500)}` }),
    statements: 5,
  },
  {
    tool: "edit",
    calls: 100,
    input: (i) => ({ path: `${ROOT}/new/w${i}.ts`, oldString: MARK, newString: "mark = 1;" }),
    statements: 4,
  },
  {
    tool: "apply_patch",
    calls: 100,
    input: (i) => ({ path: `${ROOT}/new/w${i}.ts`, patch: "@@ -1,3 +1,3 @@\n-mark = 1;\n+mark = 2;\n x\n x\n" }),
    statements: 4,
  },
  {
    tool: "copy",
    calls: 50,
    input: (i) => ({ from: `${ROOT}/new/w${i}.ts`, to: `${ROOT}/new/c${i}.ts` }),
    statements: 4,
  },
  {
    tool: "move",
    calls: 50,
    input: (i) => ({ from: `${ROOT}/new/c${i}.ts`, to: `${ROOT}/new/m${i}.ts` }),
    statements: 3,
  },
  { tool: "delete", calls: 50, input: (i) => ({ path: `${ROOT}/new/m${i}.ts` }), statements: 3 },
  { tool: "exec", calls: 5, input: () => ({ command: "echo hello" }), statements: 3 },
];

export const rows: Row<Load>[] = CASES.map(({ tool, calls, input }) => ({
  id: tool,
  label: `${tool}, ${calls} calls`,
  group: "tools",
  // Not slower than half as long again.
  goals: { beneath: { atLeast: 1 / 1.5 } },
  ...(tool === "read" ? { prepare: fill } : {}),
  ...(tool === "write" ? { prepare: (fs: FsSubject) => fs.makeDirectories(`${ROOT}/new`) } : {}),
  run: async (fs) => {
    for (let i = 0; i < calls; i++) await call(fs, tool, input(i));
  },
}));

async function fill(fs: FsSubject, { files }: Load): Promise<void> {
  if (fs.writeMany === undefined) throw new Error("it cannot write many");
  await fs.writeMany(files);
}

function call(fs: FsSubject, tool: string, input: Record<string, unknown>): Promise<unknown> {
  if (fs.tool === undefined) throw new Error("it has no tools");
  return fs.tool(tool, input);
}

export async function beforeCounts(fs: FsSubject, given: Load): Promise<void> {
  await fill(fs, given);
  await fs.makeDirectories(`${ROOT}/new`);
  await call(fs, "read", { path: pathOf(0) });
}

export const counts: CountRow<Load>[] = CASES.map(({ tool, input, statements }) => ({
  id: tool,
  label: `${tool}, one call`,
  budget: { statements },
  run: (fs) => call(fs, tool, input(1)),
}));
