/** Formats the todo list for an editor: abbreviated ids, and git's help text. */
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { formatTodo, type TodoItem } from "./todo-item.ts";

export interface DisplayTodo {
  /** Null: from the root. */
  readonly upstream: Oid | null;
  readonly head: Oid;
  readonly onto: Oid;
  /** Lines before each command, as comments. */
  readonly commentsBefore: ReadonlyMap<TodoItem, readonly string[]>;
  readonly empties: ReadonlySet<Oid>;
}

export async function todoText(repo: Repository, todo: readonly TodoItem[], displayed: DisplayTodo): Promise<string> {
  const names = new Map<Oid, string>();
  for (const oid of [...todo.map((item) => item.oid), displayed.upstream, displayed.head, displayed.onto])
    if (oid !== null) names.set(oid, await repo.odb.abbreviate(oid));
  const name = (oid: Oid) => names.get(oid) as string;
  const lines = todo.map((item) => {
    const gaps = (displayed.commentsBefore.get(item) ?? []).map((line) => `${line}\n`).join("");
    const isEmpty = item.oid !== null && displayed.empties.has(item.oid);
    return `${gaps}${formatTodo([isEmpty ? { ...item, text: `${item.text} # empty` } : item], name)}`;
  });
  const range = `${displayed.upstream === null ? "" : `${name(displayed.upstream)}..`}${name(displayed.head)}`;
  const count = Math.max(1, todo.length);
  const heading = `# Rebase ${range} onto ${name(displayed.onto)} (${count} command${count === 1 ? "" : "s"})\n`;
  return `${lines.length === 0 ? "noop\n" : lines.join("")}\n${heading}${HELP}`;
}

const HELP = `#
# Commands:
# p, pick <commit> = use commit
# r, reword <commit> = use commit, but edit the commit message
# e, edit <commit> = use commit, but stop for amending
# s, squash <commit> = use commit, but meld into previous commit
# f, fixup [-C | -c] <commit> = like "squash" but keep only the previous
#                    commit's log message, unless -C is used, in which case
#                    keep only this commit's message; -c is same as -C but
#                    opens the editor
# x, exec <command> = run command (the rest of the line) using shell
# b, break = stop here (continue rebase later with 'git rebase --continue')
# d, drop <commit> = remove commit
# l, label <label> = label current HEAD with a name
# t, reset <label> = reset HEAD to a label
# m, merge [-C <commit> | -c <commit>] <label> [# <oneline>]
#         create a merge commit using the original merge commit's
#         message (or the oneline, if no original merge commit was
#         specified); use -c <commit> to reword the commit message
# u, update-ref <ref> = track a placeholder for the <ref> to be updated
#                       to this position in the new commits. The <ref> is
#                       updated at the end of the rebase
#
# These lines can be re-ordered; they are executed from top to bottom.
#
# If you remove a line here THAT COMMIT WILL BE LOST.
#
# However, if you remove everything, the rebase will be aborted.
#
`;
