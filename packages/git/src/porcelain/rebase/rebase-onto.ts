/** `git rebase` for the typed methods: onto a revision, with the list of commits that git makes or a given one. */
import { GitError } from "../../errors.ts";
import { checkHooks, printSkippedHooks } from "../../repository/hooks.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { findCommit } from "../../revision/resolve-revision.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { refuseSigning } from "../commit/refuse-signing.ts";
import { labelCommit } from "../sequencer/commit-label.ts";
import { createAutostash, endAutostash } from "../stash/autostash.ts";
import { branchOf, findForkPoint, ontoOf, upstreamOf } from "./find-ends.ts";
import { localChanges } from "./local-changes.ts";
import { makeTodo } from "./make-todo.ts";
import type { RebaseEnd, RebaseReport } from "./rebase-event.ts";
import { alreadyRebasing, isRebasing, rebaseFolder } from "./rebase-state.ts";
import { runTodo } from "./run-todo.ts";
import { isUpToDate, startRebase } from "./start-rebase.ts";
import { takeBranch } from "./take-branch.ts";
import type { TodoItem } from "./todo-item.ts";

/** One line of a todo list. */
export type RebaseStep =
  | { readonly command: "pick" | "edit" | "drop" | "fixup" | "squash"; readonly revision: string }
  | { readonly command: "reword"; readonly revision: string; readonly message: string };

export interface RebaseRequest {
  readonly upstream?: string;
  readonly onto?: string;
  readonly branch?: string;
  /** Replaces the list of commits since `upstream`, in order; what a user would write in the editor. */
  readonly todo?: readonly RebaseStep[];
  /** Recreates merges. */
  readonly merges?: boolean;
}

export async function rebaseOnto(
  repo: WorkRepository,
  request: RebaseRequest,
  report: RebaseReport,
): Promise<RebaseEnd | { readonly kind: "done" }> {
  if (await isRebasing(repo)) throw alreadyRebasing(repo);
  refuseSigning(repo, undefined);
  try {
    return await begin(repo, request, report);
  } catch (error) {
    await restoreAutostash(repo);
    throw error;
  }
}

/** Restores the autostash if the rebase did not begin. */
async function restoreAutostash(repo: WorkRepository): Promise<void> {
  const folder = rebaseFolder(repo);
  if (await repo.fs.exists(`${folder}/head-name`)) return;
  await endAutostash(repo, `${folder}/autostash`);
  await repo.fs.rm(folder, { recursive: true, force: true });
}

async function begin(
  repo: WorkRepository,
  request: RebaseRequest,
  report: RebaseReport,
): Promise<RebaseEnd | { readonly kind: "done" }> {
  const { config } = repo;
  const named = await upstreamOf(repo, request.upstream);
  if ("missing" in named) throw new GitError("EINVAL", named.missing.trimEnd(), { prefix: "", exitCode: 1 });
  const upstream = await findCommit(repo, named.name);
  if (upstream === null) throw new GitError("ENOTFOUND", `invalid upstream '${named.name}'`);
  const { headName, head, branch } = await branchOf(repo, request.branch);
  const ends = request.onto === undefined ? {} : { onto: request.onto };
  const { onto, ontoName } = await ontoOf(repo, ends, upstream, named.name, head);
  const point = await findForkPoint(repo, ends, named.name, request.upstream === undefined, head);
  if (config.getBool("rebase.autostash")) await createAutostash(repo, `${rebaseFolder(repo)}/autostash`);
  const changes = await localChanges(repo);
  if (changes.unstaged || changes.staged) {
    const what = changes.unstaged ? "You have unstaged changes" : "Your index contains uncommitted changes";
    const message = `cannot rebase: ${what}. Please commit or stash them.`;
    throw new GitError("ESTATE", message, { prefix: "error", exitCode: 1 });
  }
  const isCurrent =
    request.todo === undefined &&
    (await isUpToDate(repo, onto, upstream, head)) &&
    (point === null || (await mergeBases(repo, onto, [head]))[0] === point);
  if (isCurrent) {
    await takeBranch(repo, headName, head, branch);
    await restoreAutostash(repo);
    return { kind: "done" };
  }
  await checkHooks(repo, "rebase", {});
  const made = await makeTodo(repo, {
    upstream,
    head,
    ...(point === null ? {} : { forkPoint: point }),
    ...(request.merges ? { merges: { cousins: false, roots: false } } : {}),
    ...(config.getBool("rebase.updaterefs") ? { updateRefsBut: headName } : {}),
  });
  const todo = request.todo === undefined ? made.todo : await readTodo(repo, request.todo);
  const state = await startRebase(
    repo,
    {
      headName,
      onto,
      origHead: head,
      todo,
      done: [],
      quiet: true,
      verbose: false,
      strategyOptions: [],
      redundant: "drop",
      signoff: false,
      dates: "committer",
      force: false,
      rescheduleExec: config.getBool("rebase.reschedulefailedexec") ?? false,
    },
    ontoName,
  );
  const end = await runTodo(repo, state, report);
  await printSkippedHooks(repo, "rebase");
  return end;
}

const COMMANDS = ["pick", "edit", "drop", "fixup", "squash", "reword"] as const;

async function readTodo(repo: WorkRepository, steps: readonly RebaseStep[]): Promise<TodoItem[]> {
  const items: TodoItem[] = [];
  for (const step of steps) {
    const { command, revision } = step;
    const known = COMMANDS.find((one) => one === command);
    const oid = await findCommit(repo, revision);
    const failed = { prefix: "error", exitCode: 1 } as const;
    if (known === undefined || oid === null)
      throw new GitError("EINVAL", `invalid line ${items.length + 1}: ${command} ${revision}`, failed);
    if ((known === "fixup" || known === "squash") && items.every((item) => item.command === "drop"))
      throw new GitError("EINVAL", `cannot '${known}' without a previous commit`, failed);
    const { subject } = await labelCommit(repo, oid);
    items.push({ command: known, oid, text: subject, ...(command === "reword" ? { message: step.message } : {}) });
  }
  return items;
}
