/**
 * A row per tool on a tree as an agent has it, 2 000 files, sources of 300 lines, a directory of 200 entries; and one more on little
 * where little is a case of its own. A tool without a row fails the suite.
 */
import type { FsSubject, TextFile } from "../../contender.ts";
import type { CountRow, Params, Row } from "../../suite.ts";
import { makeCorpus, makeText } from "../../worker/corpus.ts";

const ROOT = "/workspace/tree";
const FILES = 2000;
const PER_DIRECTORY = 25;
/** Of the directories, how many lie in the small tree. */
const SMALL_DIRECTORIES = 20;
const SOURCES = 100;
const SOURCE_BYTES = 15_000;
const LARGE_DIRECTORY = `${ROOT}/large`;
const LARGE_ENTRIES = 200;

export interface Load {
  readonly files: readonly TextFile[];
}

export function load({ seed }: Params): Load {
  const texts = makeCorpus("", { seed, files: FILES, size: 6000 }).files;
  const sources = Array.from({ length: SOURCES }, (_, i) => ({ ...makeText(SOURCE_BYTES, seed + i), path: source(i) }));
  const small = texts.map((file, i) => ({ ...file, path: pathOf(i) }));
  return { files: [...small, ...sources] };
}

/** The last ones are in one large directory, the first ones in the small tree. */
function pathOf(i: number): string {
  const file = i % FILES;
  if (file >= FILES - LARGE_ENTRIES) return `${LARGE_DIRECTORY}/f${file}.ts`;
  const directory = Math.floor(file / PER_DIRECTORY);
  return `${ROOT}/${directory < SMALL_DIRECTORIES ? "small/" : ""}d${directory}/f${file}.ts`;
}

const source = (i: number) => `/workspace/src/s${i % SOURCES}.ts`;

interface ToolCase {
  tool: string;
  /** Where there are two of a tool. */
  size?: string;
  /** Calls of one round. */
  calls: number;
  /** From `calls` on: of the calls that warm the code up, and are not timed. */
  input(i: number): Record<string, unknown>;
  /**
   * Statements of one call when the directory is known. The notes of the calls (an audit row each, and a row for a version seen for the
   * first time) are written when calls are at rest, two statements for a hundred of them; a test beside `ToolStateBuffer` counts those.
   */
  statements: number;
}

const WRITES = 300;
const MOVES = 100;
const LINES = makeText(SOURCE_BYTES, 1).text.split("\n");
/** A source with a line that every later row changes. */
const withMark = (lines: readonly string[]) => lines.with(Math.floor(lines.length / 2), "mark = 0;").join("\n");
const SOURCE = withMark(LINES);
const FEW_LINES = LINES.slice(0, 20);
const SMALL_SOURCE = withMark(FEW_LINES);

const edited = (directory: string, i: number) => ({
  path: `${ROOT}/${directory}/w${i}.ts`,
  oldString: "mark = 0;",
  newString: "mark = 1;",
});

function patched(directory: string, lines: readonly string[], i: number) {
  const at = Math.floor(lines.length / 2);
  const hunk = [` ${lines[at - 1]}`, "-mark = 1;", "+mark = 2;", ` ${lines[at + 1]}`];
  return { path: `${ROOT}/${directory}/w${i}.ts`, patch: `@@ -${at},3 +${at},3 @@\n${hunk.join("\n")}\n` };
}

const CASES: readonly ToolCase[] = [
  { tool: "read", size: `${LINES.length} lines`, calls: 500, input: (i) => ({ path: source(i) }), statements: 1 },
  { tool: "read", size: "6 KB", calls: 500, input: (i) => ({ path: pathOf(i) }), statements: 1 },
  { tool: "exists", calls: 1000, input: (i) => ({ path: pathOf(i) }), statements: 0 },
  { tool: "info", calls: 1000, input: (i) => ({ path: pathOf(i) }), statements: 0 },
  {
    tool: "list",
    size: `${LARGE_ENTRIES} entries`,
    calls: 100,
    input: () => ({ path: LARGE_DIRECTORY }),
    statements: 0,
  },
  {
    tool: "list",
    size: `${PER_DIRECTORY} entries`,
    calls: 200,
    input: (i) => ({ path: `${ROOT}/small/d${i % SMALL_DIRECTORIES}` }),
    statements: 0,
  },
  { tool: "tree", size: `${FILES} files`, calls: 50, input: () => ({ path: ROOT, depth: 3 }), statements: 0 },
  { tool: "tree", size: "500 files", calls: 50, input: () => ({ path: `${ROOT}/small` }), statements: 0 },
  {
    tool: "glob",
    size: `${FILES} files`,
    calls: 50,
    input: () => ({ pattern: "**/*7.ts", cwd: ROOT }),
    statements: 0,
  },
  {
    tool: "glob",
    size: "500 files",
    calls: 100,
    input: () => ({ pattern: "**/*7.ts", cwd: `${ROOT}/small` }),
    statements: 0,
  },
  { tool: "find", size: `${FILES} files`, calls: 50, input: () => ({ path: ROOT, name: "*7.ts" }), statements: 0 },
  {
    tool: "find",
    size: "500 files",
    calls: 100,
    input: () => ({ path: `${ROOT}/small`, name: "*7.ts" }),
    statements: 0,
  },
  { tool: "stats", calls: 50, input: () => ({ path: ROOT }), statements: 2 },
  { tool: "changes", calls: 50, input: () => ({ path: "/workspace", limit: 100 }), statements: 1 },
  { tool: "grep", size: "200 hits", calls: 20, input: () => ({ pattern: "abc", path: ROOT }), statements: 7 },
  { tool: "grep", size: "none", calls: 50, input: () => ({ pattern: "zzzunlikely", path: ROOT }), statements: 7 },
  {
    tool: "write",
    size: `${LINES.length} lines`,
    calls: WRITES,
    input: (i) => ({ path: `${ROOT}/new/w${i}.ts`, content: SOURCE }),
    statements: 5,
  },
  {
    tool: "write",
    size: "20 lines",
    calls: WRITES,
    input: (i) => ({ path: `${ROOT}/new-small/w${i}.ts`, content: SMALL_SOURCE }),
    statements: 5,
  },
  { tool: "edit", size: `${LINES.length} lines`, calls: WRITES, input: (i) => edited("new", i), statements: 4 },
  { tool: "edit", size: "20 lines", calls: WRITES, input: (i) => edited("new-small", i), statements: 4 },
  {
    tool: "apply_patch",
    size: `${LINES.length} lines`,
    calls: WRITES,
    input: (i) => patched("new", LINES, i),
    statements: 4,
  },
  {
    tool: "apply_patch",
    size: "20 lines",
    calls: WRITES,
    input: (i) => patched("new-small", FEW_LINES, i),
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
  { tool: "exec_output", calls: 100, input: () => ({ id: "bench-command" }), statements: 2 },
  { tool: "exec_kill", calls: 100, input: () => ({ id: "bench-command" }), statements: 2 },
  {
    tool: "git",
    calls: 20,
    input: () => ({ argv: ["status", "--short"], cwd: "/workspace/repository" }),
    // 11, and three to read what the workspace's own git has in its cache: a restricted view does not share it.
    statements: 14,
  },
  { tool: "browse", calls: 1000, input: () => ({ port: 8080 }), statements: 0 },
  {
    tool: "web_fetch",
    size: "a request",
    calls: 100,
    input: (i) => ({ url: `https://example.net/page-${i}` }),
    statements: 0,
  },
  {
    tool: "web_fetch",
    size: "none made",
    calls: 100,
    input: (i) => ({ url: `https://example.com/page-${i}` }),
    statements: 0,
  },
  { tool: "web_search", size: "a request", calls: 100, input: (i) => ({ query: `words ${i}` }), statements: 0 },
  {
    tool: "web_search",
    size: "none made",
    calls: 100,
    input: (i) => ({ query: `words ${i}`, provider: "brave" }),
    statements: 0,
  },
  { tool: "agent_spawn", calls: 100, input: () => ({ task: "say one word" }), statements: 2 },
  { tool: "agent_send", calls: 100, input: () => ({ targetAgentId: "other", message: "a word" }), statements: 8 },
];

const isFirst = ({ tool }: ToolCase, at: number) => CASES.findIndex((one) => one.tool === tool) === at;
const idOf = (one: ToolCase, at: number) => (isFirst(one, at) ? one.tool : `${one.tool}-small`);
const labelOf = ({ tool, size }: ToolCase) => (size === undefined ? tool : `${tool} (${size})`);

/** The calls are made before the clock runs too: a row times the tool, and not how long V8 takes to compile it. */
const MAX_WARMING = 100;

export const rows: Row<Load>[] = CASES.map((one, at) => {
  const { tool, calls, input } = one;
  const warming = Math.min(calls, MAX_WARMING);
  return {
    id: idOf(one, at),
    label: `${labelOf(one)}, ${calls} calls`,
    calls,
    group: "tools",
    // Not slower than half as long again.
    goals: { beneath: { atLeast: 1 / 1.5 } },
    prepare: async (fs, given) => {
      if (at === 0) await fill(fs, given);
      await prepared(fs, tool, calls + warming);
      for (let call = calls; call < calls + warming; call++) await callTool(fs, tool, input(call));
    },
    run: async (fs) => {
      for (let call = 0; call < calls; call++) await callTool(fs, tool, input(call));
    },
  };
});

async function fill(fs: FsSubject, { files }: Load): Promise<void> {
  if (fs.writeMany === undefined) throw new Error("it cannot write many");
  await fs.writeMany(files);
  for (const directory of ["new", "new-small"]) await fs.makeDirectories(`${ROOT}/${directory}`);
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

/** By then the notes of earlier calls are written. */
const NOTES_MS = 50;

/** What a call costs is counted once a tool. */
export const counts: CountRow<Load>[] = CASES.filter(isFirst).map((one) => ({
  id: one.tool,
  label: `${labelOf(one)}, one call`,
  budget: { statements: one.statements },
  prepare: async (fs) => {
    await prepared(fs, one.tool, 2);
    // The notes of the calls before are not this one's.
    await new Promise((resolve) => setTimeout(resolve, NOTES_MS));
  },
  run: (fs) => callTool(fs, one.tool, one.input(1)),
}));
