/** `git status` as data: the branch and its upstream, and each path with its state in the index and in the tree. */

import { ApiError } from "../api/api-error.ts";
import { runGit } from "../api/git.ts";

export interface Change {
  path: string;
  /** Of a rename: the old path. */
  from?: string;
  /** git's status letter: M, A, D, R, C, T, U, or ? for an untracked path. */
  letter: string;
}

export interface GitStatus {
  branch: string | null;
  /** Null: no commit yet. */
  oid: string | null;
  upstream: string | null;
  ahead: number;
  behind: number;
  staged: Change[];
  unstaged: Change[];
  conflicts: Change[];
}

/** Null: not a repository. */
export async function readStatus(workspace: string, signal?: AbortSignal): Promise<GitStatus | null> {
  const argv = ["status", "--porcelain=v2", "--branch", "--untracked-files=all", "-z"];
  const { exitCode, stdout, stderr } = await runGit(workspace, argv, { signal });
  if (exitCode === 0) return parseStatus(stdout);
  if (/not a git repository/i.test(stderr)) return null;
  throw new ApiError(200, { code: "GIT", message: stderr.trim() || "git status failed" });
}

export function parseStatus(text: string): GitStatus {
  const status: GitStatus = {
    branch: null,
    oid: null,
    upstream: null,
    ahead: 0,
    behind: 0,
    staged: [],
    unstaged: [],
    conflicts: [],
  };
  const records = text.split("\0");
  for (let i = 0; i < records.length; i++) {
    const record = records[i] as string;
    if (record.startsWith("# ")) parseHeader(status, record);
    else if (record.startsWith("? ")) status.unstaged.push({ path: record.slice(2), letter: "?" });
    else if (record.startsWith("u ")) status.conflicts.push({ path: fieldsAfter(record, 10), letter: "U" });
    else if (record.startsWith("1 ")) addChange(status, record.slice(2, 4), { path: fieldsAfter(record, 8) });
    // The old path of a rename is a separate record.
    else if (record.startsWith("2 "))
      addChange(status, record.slice(2, 4), { path: fieldsAfter(record, 9), from: records[++i] });
  }
  return status;
}

function parseHeader(status: GitStatus, record: string): void {
  const [, key, ...rest] = record.split(" ");
  const value = rest.join(" ");
  if (key === "branch.oid") status.oid = value === "(initial)" ? null : value;
  else if (key === "branch.head") status.branch = value === "(detached)" ? null : value;
  else if (key === "branch.upstream") status.upstream = value;
  else if (key === "branch.ab") {
    const [ahead = "0", behind = "0"] = rest;
    status.ahead = Math.abs(Number(ahead));
    status.behind = Math.abs(Number(behind));
  }
}

function addChange(status: GitStatus, letters: string, change: { path: string; from?: string }): void {
  const [index = ".", tree = "."] = letters;
  if (index !== ".") status.staged.push({ ...change, letter: index });
  if (tree !== ".") status.unstaged.push({ path: change.path, letter: tree });
}

/** The text after this many fields, including its own spaces. */
function fieldsAfter(record: string, count: number): string {
  let at = 0;
  for (let i = 0; i < count; i++) at = record.indexOf(" ", at) + 1;
  return record.slice(at);
}
