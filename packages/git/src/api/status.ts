/** `git.status()`: differences between HEAD, index and work tree, and the position of HEAD. */
import type { Oid } from "../object/oid.ts";
import { parsePathspec } from "../pathspec/pathspec.ts";
import type { StatusEntry as ComparedEntry } from "../porcelain/status/collect-status.ts";
import type { OperationState } from "../porcelain/status/operation-state.ts";
import { status as compareStatus } from "../porcelain/status/status.ts";
import { renameSettings } from "../porcelain/status/status-renames.ts";
import type { Call, CallOptions } from "./call.ts";

export interface StatusOptions extends CallOptions {
  readonly paths?: readonly string[];
  /** Default "all": lists every untracked file. */
  readonly untracked?: "no" | "normal" | "all";
  readonly ignored?: boolean;
}

/** A file as HEAD, the index or a side of a conflict has it. */
export interface GitFileVersion {
  /** As in a tree: 0o100644. */
  readonly mode: number;
  readonly oid: Oid;
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
  /** Of a rename or copy, in percent. */
  readonly similarity?: number;
  /** Absent for files that are untracked, ignored or unmerged; null: not there. */
  readonly versions?: {
    readonly head: GitFileVersion | null;
    readonly index: GitFileVersion | null;
    /** Mode in the work tree; null: not there. */
    readonly worktreeMode: number | null;
  };
  /** Of a conflict: base, ours, theirs; null: that side has no such file. */
  readonly stages?: readonly (GitFileVersion | null)[];
}

export interface StatusTracking {
  /** "origin/main" */
  readonly name: string;
  /** "refs/remotes/origin/main" */
  readonly ref: string;
  /** The upstream ref does not exist. */
  readonly gone: boolean;
  readonly ahead: number;
  readonly behind: number;
}

/** What has begun and waits to be continued or aborted. */
export type GitOperation = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

export interface StatusReport {
  /** Null: a detached HEAD. */
  readonly branch: string | null;
  /** Null: no commit yet. */
  readonly head: Oid | null;
  /** Null: the branch has no upstream. */
  readonly tracking: StatusTracking | null;
  /** `tracking.name`. */
  readonly upstream?: string;
  /** `tracking.ahead` and `tracking.behind`, unless the upstream is gone. */
  readonly ahead?: number;
  readonly behind?: number;
  /** Changed files, then unmerged, untracked and ignored ones. */
  readonly entries: readonly StatusEntry[];
  /** The untracked among `entries`; directories end with a slash. */
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly operation: GitOperation | null;
  /** There are at most ignored files. */
  readonly clean: boolean;
}

export async function status(call: Call, options: StatusOptions = {}): Promise<StatusReport> {
  const { paths = [], untracked = "all", ignored = false } = options;
  const repo = await call.workTree(paths);
  const report = await compareStatus(repo, {
    pathspec: parsePathspec(repo, paths),
    untracked,
    ignored: ignored ? "traditional" : "no",
    renames: renameSettings(repo),
  });
  const { branch, head, tracking } = report;
  const counts = tracking?.counts ?? { ahead: 0, behind: 0 };
  const changed = report.entries.filter(({ stages }) => stages === undefined);
  const unmerged = report.entries.filter(({ stages }) => stages !== undefined);
  return {
    branch,
    head,
    tracking: tracking && { name: tracking.name, ref: tracking.ref, gone: tracking.gone, ...counts },
    ...(tracking && { upstream: tracking.name, ...(tracking.gone ? {} : counts) }),
    entries: [
      ...[...changed, ...unmerged].map(toEntry),
      ...report.untracked.map((path) => ({ path, index: "?", worktree: "?" })),
      ...report.ignored.map((path) => ({ path, index: "!", worktree: "!" })),
    ],
    untracked: report.untracked,
    ignored: report.ignored,
    operation: operationOf(report.state),
    clean: report.entries.length + report.untracked.length === 0,
  };
}

function toEntry(entry: ComparedEntry): StatusEntry {
  const { path, from, staged, unstaged, stages, score, head, index, workMode } = entry;
  const letter = (code: string) => (code === " " ? "." : code);
  return {
    path,
    ...(from === undefined ? {} : { from }),
    index: letter(staged),
    worktree: letter(unstaged),
    ...(from === undefined ? {} : { similarity: score ?? 100 }),
    ...(stages === undefined
      ? { versions: { head: version(head), index: version(index), worktreeMode: workMode || null } }
      : { unmerged: true, stages: stages.map(version) }),
  };
}

function version(side: GitFileVersion | null): GitFileVersion | null {
  return side && { mode: side.mode, oid: side.oid };
}

function operationOf({ merge, am, rebase, cherryPick, revert, bisect }: OperationState): GitOperation | null {
  if (merge) return "merge";
  if (am) return "am";
  if (rebase) return "rebase";
  if (cherryPick) return "cherry-pick";
  if (revert) return "revert";
  return bisect === null ? null : "bisect";
}
