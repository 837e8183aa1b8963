/** Methods that join histories: `merge`, `cherryPick`, `revert`, `rebase`. A conflict is a result, not an error. */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import { parsePathspec } from "../pathspec/pathspec.ts";
import { unmergedPaths } from "../porcelain/checkout/switch-branch.ts";
import { commit as makeCommit } from "../porcelain/commit/commit.ts";
import { refuseSigning } from "../porcelain/commit/refuse-signing.ts";
import type { MergeResult } from "../porcelain/merge/merge.ts";
import {
  abortMergeInProgress,
  findMergeHead,
  type MergeRequest,
  mergeRevisions,
  quitMerge,
  requireMerging,
} from "../porcelain/merge/merge-revisions.ts";
import type { RebaseEnd, RebaseEvent, RebaseReport } from "../porcelain/rebase/rebase-event.ts";
import { type RebaseRequest, rebaseOnto } from "../porcelain/rebase/rebase-onto.ts";
import { isRebasing, readRebaseState } from "../porcelain/rebase/rebase-state.ts";
import { abortRebase, continueRebase, quitRebase, skipRebase } from "../porcelain/rebase/resume-rebase.ts";
import { listPickedCommits } from "../porcelain/sequencer/list-picked-commits.ts";
import {
  actionName,
  type PickAction,
  type PickEnd,
  type PickEvent,
  pickCommits,
  requireCleanIndex,
} from "../porcelain/sequencer/pick-commits.ts";
import {
  abortSequence,
  isStopped,
  noneInProgress,
  quitSequence,
  refuseSequence,
  skipOne,
} from "../porcelain/sequencer/resume-sequence.ts";
import { beginSequence, readSequence, type SequenceOptions } from "../porcelain/sequencer/sequence-state.ts";
import { endAutostash, mergeAutostash } from "../porcelain/stash/autostash.ts";
import type { Call, CallOptions, WorkRepository } from "./call.ts";

export interface MergeOutcome {
  /** "conflict": the work tree has markers, the index stages; resolve, then continue, or abort. */
  readonly outcome: "done" | "conflict";
  /** How it ended. "stopped": as requested, before a commit or for an edit. */
  readonly kind?: "up-to-date" | "fast-forward" | "merged" | "stopped" | "conflict";
  /** HEAD afterwards. */
  readonly head: Oid;
  /** Paths with conflicts. */
  readonly conflicts: readonly string[];
  /** Commits that were created, oldest first. */
  readonly commits: readonly Oid[];
  /** What git says about conflicts and merged files, line by line. */
  readonly output: string;
}

type ResumeAction = { readonly action: "continue" | "abort" | "skip" | "quit" };

/** What happened on the way. */
export class Progression {
  readonly commits: Oid[] = [];
  readonly #messages: string[] = [];

  readonly report = (event: PickEvent | RebaseEvent): void => {
    if (event.kind === "merged") this.#messages.push(...event.messages);
    else if (event.kind === "octopus") this.#messages.push(event.output);
    else if (event.kind === "committed" || event.kind === "resolved") this.commits.push(event.oid);
  };

  get output(): string {
    return this.#messages.map((line) => `${line}\n`).join("");
  }
}

/** A stop with conflicts is a result, any other is an error. */
export async function sequenceOutcome(
  repo: WorkRepository,
  end: PickEnd | RebaseEnd | typeof NOTHING | typeof DONE,
  { commits, output }: Progression = new Progression(),
): Promise<MergeOutcome> {
  const more = { commits, output };
  switch (end.kind) {
    case "done":
      return outcomeOf(repo, [], more);
    case "edit":
    case "break":
      return outcomeOf(repo, [], { ...more, kind: "stopped" });
    case "empty":
      throw new GitError("ESTATE", "there is nothing to commit: the change is there already", { exitCode: 1 });
    case "exec-failed":
      throw new GitError("ESTATE", `execution failed: ${end.command}`, { exitCode: 1 });
    case "conflict":
    case "merge-conflict":
    case "unresolved": {
      const conflicts = await unmergedPaths(repo);
      if (conflicts.length > 0) return outcomeOf(repo, conflicts, { ...more, kind: "conflict" });
      throw new GitError("ESTATE", "stage the resolved files, then continue", { exitCode: 1 });
    }
    default:
      return end satisfies never;
  }
}

export async function outcomeOf(
  repo: WorkRepository,
  conflicts: readonly string[],
  { kind, commits = [], output = "" }: Partial<Pick<MergeOutcome, "kind" | "commits" | "output">> = {},
): Promise<MergeOutcome> {
  const head = (await repo.refs.resolve("HEAD"))?.oid;
  if (head == null) throw new GitError("ESTATE", "HEAD has no commit");
  const outcome = conflicts.length === 0 ? "done" : "conflict";
  return { outcome, ...(kind && { kind }), head, conflicts, commits, output };
}

const NOTHING = { kind: "empty" } as const;
const DONE = { kind: "done" } as const;

/** Concludes a stop with its prepared message. False: nothing to commit. */
async function commitPrepared(repo: WorkRepository): Promise<boolean> {
  refuseSigning(repo, undefined);
  const result = await makeCommit(repo, { pathspec: parsePathspec(repo, []), edit: false, cleanup: "strip" });
  if (result.kind === "committed") await endAutostash(repo, mergeAutostash(repo));
  return result.kind === "committed";
}

export type MergeOptions = CallOptions &
  (ResumeAction | (MergeRequest & { readonly revision: string; readonly action?: undefined }));

export async function merge(call: Call, options: MergeOptions): Promise<MergeOutcome> {
  const repo = await call.workTree();
  switch (options.action) {
    case "abort":
      await abortMergeInProgress(repo);
      return outcomeOf(repo, []);
    case "quit":
      await quitMerge(repo);
      return outcomeOf(repo, []);
    case "continue":
      await requireMerging(repo, "continue");
      if (!(await commitPrepared(repo)))
        throw new GitError("ECONFLICT", "nothing to commit", { prefix: "", exitCode: 1 });
      return outcomeOf(repo, []);
    case "skip":
      throw new GitError("EINVAL", "a merge cannot be skipped: continue or abort it");
    case undefined:
      return mergeOutcome(repo, await mergeRevisions(repo, [await findMergeHead(repo, options.revision)], options));
    default:
      throw invalidAction(options satisfies never);
  }
}

export async function mergeOutcome(repo: WorkRepository, result: MergeResult): Promise<MergeOutcome> {
  const output = "output" in result ? result.output : "";
  const kind = result.kind === "born" ? "fast-forward" : result.kind === "failed" ? undefined : result.kind;
  const conflicts = kind === "conflict" ? await unmergedPaths(repo) : [];
  return outcomeOf(repo, conflicts, { output, ...(kind && { kind }) });
}

function invalidAction({ action }: { readonly action?: unknown }): GitError {
  return new GitError("EINVAL", `unknown action '${action}'`);
}

export type PickOptions = CallOptions &
  (
    | ResumeAction
    | {
        readonly revisions: readonly string[];
        readonly noCommit?: boolean;
        /** For a merge commit: the parent to compare with, from 1. */
        readonly mainline?: number;
        readonly action?: undefined;
      }
  );

export function cherryPick(call: Call, options: PickOptions): Promise<MergeOutcome> {
  return pick(call, "pick", options);
}

export function revert(call: Call, options: PickOptions): Promise<MergeOutcome> {
  return pick(call, "revert", options);
}

async function pick(call: Call, action: PickAction, options: PickOptions): Promise<MergeOutcome> {
  const repo = await call.workTree();
  const progress = new Progression();
  if (options.action !== undefined)
    return sequenceOutcome(repo, await resumePicks(repo, action, options.action, progress), progress);
  refuseSigning(repo, undefined);
  const { revisions, noCommit = false, mainline } = options;
  if (mainline !== undefined && !(Number.isInteger(mainline) && mainline > 0))
    throw new GitError("EINVAL", "mainline must be a number greater than zero");
  const settings: SequenceOptions = {
    ...(noCommit ? { noCommit } : {}),
    ...(mainline === undefined ? {} : { mainline }),
  };
  const { todo, single } = await listPickedCommits(repo, action, revisions);
  if (todo.length === 0) throw new GitError("EINVAL", "empty commit set passed", { prefix: "error" });
  if (!single) {
    await refuseSequence(repo);
    await beginSequence(repo, (await repo.refs.resolve("HEAD"))?.oid ?? null, settings);
  }
  const end = await pickCommits(repo, action, todo, settings, progress.report, !single);
  return sequenceOutcome(repo, end, progress);
}

async function resumePicks(
  repo: WorkRepository,
  action: PickAction,
  step: ResumeAction["action"],
  progress: Progression,
): Promise<PickEnd | typeof NOTHING> {
  switch (step) {
    case "quit":
      await quitSequence(repo);
      return DONE;
    case "abort":
      await abortSequence(repo);
      return DONE;
    case "skip":
      await skipOne(repo, action);
      break;
    case "continue": {
      const stopped = await isStopped(repo);
      const inSequence = (await readSequence(repo)) !== null;
      if (!stopped && !inSequence) throw noneInProgress();
      if (stopped && !(await commitPrepared(repo))) return NOTHING;
      break;
    }
    default:
      throw invalidAction({ action: step satisfies never });
  }
  const sequence = await readSequence(repo);
  if (sequence === null) return DONE;
  if (sequence.broken !== "") throw new GitError("ESTATE", sequence.broken, { prefix: "error" });
  if (sequence.action !== action)
    throw new GitError("ESTATE", `cannot ${actionName(action)} during a ${actionName(sequence.action)}.`, {
      prefix: "error",
    });
  await requireCleanIndex(repo, action, (await repo.refs.resolve("HEAD"))?.oid ?? null);
  return pickCommits(repo, action, sequence.todo.slice(1), sequence.options, progress.report, true);
}

export type RebaseOptions = CallOptions &
  (ResumeAction | (Omit<RebaseRequest, "merges"> & { readonly action?: undefined }));

export async function rebase(call: Call, options: RebaseOptions): Promise<MergeOutcome> {
  const progress = new Progression();
  if (options.action === undefined) {
    const repo = await call.workTree();
    return sequenceOutcome(repo, await rebaseOnto(repo, options, progress.report), progress);
  }
  // Prepared messages are used unchanged.
  const repo = await call.withConfig([{ key: "core.editor", value: ":" }]).workTree();
  if (!(await isRebasing(repo))) throw new GitError("ESTATE", "No rebase in progress?");
  return sequenceOutcome(repo, await resumeRebase(repo, options.action, progress.report), progress);
}

async function resumeRebase(
  repo: WorkRepository,
  step: ResumeAction["action"],
  report: RebaseReport,
): Promise<RebaseEnd | typeof DONE> {
  const state = await readRebaseState(repo);
  switch (step) {
    case "continue":
      return continueRebase(repo, state, report);
    case "skip":
      return skipRebase(repo, state, report);
    case "abort":
      await abortRebase(repo, state);
      return DONE;
    case "quit":
      await quitRebase(repo);
      return DONE;
    default:
      throw invalidAction({ action: step satisfies never });
  }
}
