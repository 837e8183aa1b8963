/** Methods that join histories: `merge`, `cherryPick`, `revert`, `rebase`, `stash`. A conflict is a result, not an error. */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { CallOptions } from "./call.ts";
import { head } from "./commit.ts";
import { type Engine, flag, option, records, refuseOption } from "./engine.ts";

export interface MergeOutcome {
  /** "conflict": the work tree has markers, the index stages; resolve, then continue, or abort. */
  readonly outcome: "done" | "conflict";
  /** HEAD afterwards. */
  readonly head: Oid;
  /** Paths with conflicts. */
  readonly conflicts: readonly string[];
  /** git's output. */
  readonly output: string;
}

type ResumeAction = { readonly action: "continue" | "abort" | "skip" | "quit" };

/** Prepared messages are used unchanged. */
const EDITOR = ["-c", "core.editor=:"] as const;

async function join(engine: Engine, argv: readonly (string | undefined)[], stdin?: string): Promise<MergeOutcome> {
  const answer = await engine.run(argv, { expected: [0, 1], ...(stdin === undefined ? {} : { stdin }) });
  const conflicts = answer.exitCode === 0 ? [] : await unmerged(engine);
  if (answer.exitCode === 1 && conflicts.length === 0) {
    throw new GitError("ESTATE", (answer.stderr || answer.text).replace(/^(fatal|error): /, () => "").trimEnd(), {
      exitCode: 1,
      prefix: "error",
    });
  }
  const outcome = conflicts.length > 0 ? "conflict" : "done";
  return { outcome, head: await head(engine), conflicts, output: answer.text + answer.stderr };
}

async function unmerged(engine: Engine): Promise<string[]> {
  const { text } = await engine.run(["diff", "--name-only", "--diff-filter=U", "-z"]);
  return [...new Set(records(text))];
}

export type MergeOptions = CallOptions &
  (
    | ResumeAction
    | {
        readonly revision: string;
        readonly message?: string;
        readonly fastForward?: "auto" | "only" | "never";
        readonly squash?: boolean;
        readonly noCommit?: boolean;
        readonly strategyOption?: "ours" | "theirs";
        readonly action?: undefined;
      }
  );

export function merge(engine: Engine, options: MergeOptions): Promise<MergeOutcome> {
  if (options.action !== undefined) return join(engine, [...EDITOR, "merge", `--${options.action}`]);
  const { revision, message, fastForward = "auto", squash, noCommit, strategyOption } = options;
  refuseOption(revision);
  const forward = fastForward === "auto" ? undefined : fastForward === "only" ? "--ff-only" : "--no-ff";
  const flags = [
    forward,
    flag("--squash", squash),
    flag("--no-commit", noCommit),
    option("--strategy-option", strategyOption),
  ];
  return join(engine, ["merge", "--no-edit", ...flags, ...(message === undefined ? [] : ["-m", message]), revision]);
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

export function cherryPick(engine: Engine, options: PickOptions): Promise<MergeOutcome> {
  return pick(engine, "cherry-pick", options);
}

export function revert(engine: Engine, options: PickOptions): Promise<MergeOutcome> {
  return pick(engine, "revert", options);
}

function pick(engine: Engine, command: "cherry-pick" | "revert", options: PickOptions): Promise<MergeOutcome> {
  if (options.action !== undefined) return join(engine, [...EDITOR, command, `--${options.action}`]);
  const { revisions, noCommit, mainline } = options;
  for (const revision of revisions) refuseOption(revision);
  const edit = command === "revert" ? "--no-edit" : undefined;
  return join(engine, [command, edit, flag("--no-commit", noCommit), option("--mainline", mainline), ...revisions]);
}

/** One line of a todo list. */
export type TodoItem =
  | { readonly command: "pick" | "edit" | "drop" | "fixup" | "squash"; readonly revision: string }
  | { readonly command: "reword"; readonly revision: string; readonly message: string };

export type RebaseOptions = CallOptions &
  (
    | ResumeAction
    | {
        readonly upstream?: string;
        readonly onto?: string;
        readonly branch?: string;
        /** Replaces the list of commits since `upstream`, in order; what a user would write in the editor. */
        readonly todo?: readonly TodoItem[];
        readonly action?: undefined;
      }
  );

export function rebase(engine: Engine, options: RebaseOptions): Promise<MergeOutcome> {
  if (options.action !== undefined) return join(engine, [...EDITOR, "rebase", `--${options.action}`]);
  const { upstream, onto, branch, todo } = options;
  for (const word of [upstream, onto, branch]) if (word !== undefined) refuseOption(word);
  const argv = ["rebase", flag("--todo-from-stdin", todo !== undefined), option("--onto", onto), upstream, branch];
  return join(engine, argv, todo === undefined ? undefined : JSON.stringify(todo));
}

export interface StashOptions extends CallOptions {
  readonly action: "push" | "pop" | "apply" | "drop" | "clear" | "list";
  readonly message?: string;
  readonly includeUntracked?: boolean;
  readonly keepIndex?: boolean;
  /** "stash@{1}". */
  readonly stash?: string;
}

export interface Stash {
  readonly name: string;
  readonly oid: Oid;
  readonly message: string;
}

/** The remaining stashes, newest first. */
export async function stash(engine: Engine, options: StashOptions): Promise<Stash[]> {
  const { action, message, includeUntracked, keepIndex, stash: name } = options;
  if (name !== undefined) refuseOption(name);
  if (action === "push") {
    const flags = [flag("--include-untracked", includeUntracked), flag("--keep-index", keepIndex)];
    await engine.run(["stash", "push", "-q", ...flags, ...(message === undefined ? [] : ["-m", message])]);
  } else if (action !== "list") await engine.run(["stash", action, action === "clear" ? undefined : "-q", name]);
  const { text } = await engine.run(["stash", "list", "-z", "--format=%gd%x00%H%x00%gs"]);
  const fields = records(text);
  const stashes: Stash[] = [];
  for (let at = 0; at + 3 <= fields.length; at += 3) {
    stashes.push({ name: fields[at] as string, oid: fields[at + 1] as Oid, message: fields[at + 2] as string });
  }
  return stashes;
}
