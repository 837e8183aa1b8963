/** The text of a rebase: its progress, its stops, and the commands that continue it. */
import { adviceEnabled } from "../config/advice.ts";
import type { LocalChanges } from "../porcelain/rebase/local-changes.ts";
import type { RebaseEnd, RebaseEvent } from "../porcelain/rebase/rebase-event.ts";
import { commitSummary } from "../pretty/commit-summary.ts";
import type { Repository } from "../repository.ts";
import { autostashEndText } from "./autostash-text.ts";

export interface RebaseDisplay {
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Clears the progress line. */
  readonly clearLine: string;
}

type Output = { readonly out?: string | Uint8Array; readonly err?: string | Uint8Array };

export async function rebaseEventText(
  repo: Repository,
  event: RebaseEvent,
  { quiet, verbose, clearLine }: RebaseDisplay,
): Promise<Output> {
  switch (event.kind) {
    case "progress":
      return quiet ? {} : { err: `Rebasing (${event.done}/${event.total})${verbose ? "\n" : "\r"}` };
    case "merged":
      return { out: event.messages.map((line) => `${line}\n`).join("") };
    case "octopus":
      return { out: event.output, err: event.errors };
    case "committed":
    case "resolved": {
      const options = { headName: null, isRoot: false, showDate: event.kind === "committed" };
      return { out: await commitSummary(repo, event.oid, event.commit, options) };
    }
    case "dropped":
      return { err: `dropping ${event.picked.oid} ${event.picked.subject} -- patch contents already upstream\n` };
    case "exec":
      return { err: `${verbose ? "" : clearLine}Executing: ${event.command}\n` };
    case "exec-output":
      return { out: event.stdout, err: event.stderr };
    default:
      return event satisfies never;
  }
}

export function rebaseEndText(
  { config }: Repository,
  end: RebaseEnd,
  { quiet, verbose, clearLine }: RebaseDisplay,
): { readonly out?: string; readonly err?: string } {
  const clear = verbose || quiet ? "" : clearLine;
  switch (end.kind) {
    case "done": {
      const { headName, autostash, updated } = end;
      const success = `${clear}Successfully rebased and updated ${headName}.\n${updatedText("Updated", updated.moved)}${updatedText("Failed to update", updated.failed)}`;
      return { err: `${autostashEndText(autostash)}${quiet ? "" : success}` };
    }
    case "break":
      return { err: `${clear}Stopped at ${end.head.short} (${end.head.subject})\n` };
    case "edit":
      return { err: `${clear}Stopped at ${end.picked.short}...  ${end.text}\n${AMEND}` };
    case "conflict": {
      const { short, subject } = end.picked;
      const hint = adviceEnabled(config, "mergeConflict") ? RESOLVE : "";
      return { err: `error: could not apply ${short}... ${subject}\n${hint}Could not apply ${short}... ${end.text}\n` };
    }
    case "empty":
      return { err: `Could not apply ${end.picked.short}... ${end.text}\n` };
    case "merge-conflict":
      return {
        err: end.original ? `Could not apply ${end.original.short}... ${end.text}\n` : `Could not merge ${end.text}\n`,
      };
    case "exec-failed":
      return { err: execFailedText(end) };
    case "unresolved":
      return { out: `${end.unmerged.map((path) => `${path}: needs merge\n`).join("")}${RESOLVE_FIRST}` };
    default:
      return end satisfies never;
  }
}

/** The reasons why a rebase cannot start; "" if there are none. */
export function localChangesText({ unstaged, staged }: LocalChanges): string {
  const index = unstaged ? "additionally, your index contains" : "cannot rebase: Your index contains";
  return [
    ...(unstaged ? ["error: cannot rebase: You have unstaged changes.\n"] : []),
    ...(staged ? [`error: ${index} uncommitted changes.\n`] : []),
  ].join("");
}

function updatedText(heading: string, refs: readonly string[]): string {
  if (refs.length === 0) return "";
  return `${heading} the following refs with --update-refs:\n${refs.map((ref) => `\t${ref}\n`).join("")}`;
}

function execFailedText(end: Extract<RebaseEnd, { kind: "exec-failed" }>): string {
  const { command, exitCode, changes, isRescheduled } = end;
  const isDirty = changes.unstaged || changes.staged;
  const next = "  git rebase --continue\n\n\n";
  const warning =
    exitCode === 0
      ? `warning: execution succeeded: ${command}\nbut left changes to the index and/or the working tree\nCommit or stash your changes, and then run\n\n${next}`
      : `warning: execution failed: ${command}\n${isDirty ? "and made changes to the index and/or the working tree\n" : ""}You can fix the problem, and then run\n\n${next}`;
  return `${localChangesText(changes)}${warning}${isRescheduled ? rescheduledText(command) : ""}`;
}

const RESOLVE_FIRST = "You must edit all merge conflicts and then\nmark them as resolved using git add\n";

const RESOLVE = `hint: Resolve all conflicts manually, mark them as resolved with
hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
hint: You can instead skip this commit: run "git rebase --skip".
hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
`;

const AMEND = `You can amend the commit now, with

  git commit --amend 

Once you are satisfied with your changes, run

  git rebase --continue
`;

function rescheduledText(command: string): string {
  return `hint: Could not execute the todo command
hint: 
hint:     exec ${command}
hint: 
hint: It has been rescheduled; To edit the command before continuing, please
hint: edit the todo list first:
hint: 
hint:     git rebase --edit-todo
hint:     git rebase --continue
`;
}
