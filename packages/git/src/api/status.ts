/** `git.status()`: differences between HEAD, index and work tree, and the position of HEAD. */
import type { Oid } from "../object/oid.ts";
import { type CallOptions, type Engine, flag, paths, records } from "./engine.ts";

export interface StatusOptions extends CallOptions {
  readonly paths?: readonly string[];
  /** Default "all": lists every untracked file. */
  readonly untracked?: "no" | "normal" | "all";
  readonly ignored?: boolean;
}

export interface StatusEntry {
  readonly path: string;
  /** Original path of a renamed or copied file. */
  readonly from?: string;
  /** HEAD against index: "." for the same, else "M", "T", "A", "D", "R", "C"; "?" untracked, "!" ignored; unmerged: "U", "A", "D". */
  readonly index: string;
  /** Index against work tree, with the same letters. */
  readonly worktree: string;
  readonly unmerged?: boolean;
}

export interface GitStatus {
  /** Null: a detached HEAD. */
  readonly branch: string | null;
  /** Null: no commit yet. */
  readonly head: Oid | null;
  readonly upstream?: string;
  readonly ahead?: number;
  readonly behind?: number;
  readonly entries: readonly StatusEntry[];
  readonly clean: boolean;
}

export async function status(engine: Engine, options: StatusOptions = {}): Promise<GitStatus> {
  const { text } = await engine.run([
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    `--untracked-files=${options.untracked ?? "all"}`,
    flag("--ignored", options.ignored),
    ...paths(options.paths),
  ]);
  const state: { -readonly [K in keyof GitStatus]: GitStatus[K] } = {
    branch: null,
    head: null,
    entries: [],
    clean: true,
  };
  const entries: StatusEntry[] = [];
  const lines = records(text);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (line.startsWith("# ")) readHeader(state, line.slice(2));
    else if (line.startsWith("2 ")) entries.push({ ...readEntry(line, 9), from: lines[++at] as string });
    else if (line.startsWith("1 ")) entries.push(readEntry(line, 8));
    else if (line.startsWith("u ")) entries.push({ ...readEntry(line, 10), unmerged: true });
    else entries.push({ path: line.slice(2), index: line[0] as string, worktree: line[0] as string });
  }
  return { ...state, entries, clean: entries.every(({ index }) => index === "!") };
}

function readHeader(state: { -readonly [K in keyof GitStatus]: GitStatus[K] }, line: string): void {
  const [name, ...words] = line.split(" ");
  const value = words.join(" ");
  if (name === "branch.oid") state.head = value === "(initial)" ? null : (value as Oid);
  else if (name === "branch.head") state.branch = value === "(detached)" ? null : value;
  else if (name === "branch.upstream") state.upstream = value;
  else if (name === "branch.ab") {
    state.ahead = Math.abs(Number(words[0]));
    state.behind = Math.abs(Number(words[1]));
  }
}

/** The path follows after this many words. */
function readEntry(line: string, words: number): StatusEntry {
  let at = 0;
  for (let i = 0; i < words; i++) at = line.indexOf(" ", at) + 1;
  return { path: line.slice(at), index: line[2] as string, worktree: line[3] as string };
}
