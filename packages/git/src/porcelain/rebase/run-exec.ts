/**
 * `exec` lines: a user's command between two commits. The engine cannot run programs, so its host runs them. A command that fails,
 * or leaves something uncommitted, stops the rebase.
 */
import { GitError } from "../../errors.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { type LocalChanges, localChanges } from "./local-changes.ts";
import type { RebaseReport } from "./rebase-event.ts";
import type { TodoItem } from "./todo-item.ts";

/** Rejects, before the rebase begins, an empty command or a host that cannot run commands. */
export function checkExec({ host }: Pick<WorkRepository, "host">, commands: readonly string[]): void {
  for (const command of commands) {
    const fault = /^\s*$/.test(command) ? "empty exec command" : "exec commands cannot contain newlines";
    if (/^\s*$|\n/.test(command)) throw new GitError("EINVAL", fault, { prefix: "error", exitCode: 1 });
  }
  if (commands.length > 0 && host.run === undefined)
    throw new GitError(
      "EUNSUPPORTED",
      "commands are not run here: leave out --exec, and run them on each commit yourself ('break' in a todo list)",
    );
}

/** Adds the commands after each commit and the fixups melded into it. */
export function addExec(todo: readonly TodoItem[], commands: readonly string[]): TodoItem[] {
  if (commands.length === 0) return [...todo];
  const lines = commands.map((text): TodoItem => ({ command: "exec", oid: null, text }));
  const all: TodoItem[] = [];
  let due = false;
  for (const item of todo) {
    const melds = item.command === "fixup" || item.command === "squash";
    if (due && !melds) {
      all.push(...lines);
      due = false;
    }
    all.push(item);
    if (item.command === "pick" || item.command === "merge") due = true;
  }
  return due ? [...all, ...lines] : all;
}

/** Null if the rebase may continue. */
export async function runExec(
  repo: WorkRepository,
  command: string,
  report: RebaseReport,
): Promise<{ readonly exitCode: number; readonly changes: LocalChanges } | null> {
  const { host, workTree, env } = repo;
  await report({ kind: "exec", command });
  const run = host.run as NonNullable<typeof host.run>;
  const { exitCode, stdout, stderr } = await run({ command, cwd: workTree, env: { ...env } });
  await report({ kind: "exec-output", stdout, stderr });
  const changes = await localChanges(repo);
  return exitCode === 0 && !changes.unstaged && !changes.staged ? null : { exitCode, changes };
}
