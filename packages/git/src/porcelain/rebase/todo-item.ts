/** The lines of a rebase's todo list in git's format, so that either git can continue with what the other wrote. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { findCommit } from "../../revision/resolve-revision.ts";

/** Take a commit, except `merge`, which may have none. */
export type CommitCommand = "pick" | "edit" | "squash" | "fixup" | "drop" | "reword" | "merge";
/** Take a word, or nothing. */
export type OtherCommand = "break" | "exec" | "label" | "reset" | "update-ref";
export type TodoCommand = CommitCommand | OtherCommand;

export interface TodoItem {
  readonly command: TodoCommand;
  /** Null if there is no commit. */
  readonly oid: Oid | null;
  /** The rest of the line: a subject, a label, a command; for `merge` labels and "# subject". */
  readonly text: string;
  /** For `fixup`: uses this commit's message; for `merge`: that of the commit. `-c` opens an editor. */
  readonly flag?: "-C" | "-c";
  /** For `reword`, since there is no editor: the message. */
  readonly message?: string;
}

const COMMANDS: Readonly<Record<string, TodoCommand>> = {
  p: "pick",
  r: "reword",
  e: "edit",
  s: "squash",
  f: "fixup",
  d: "drop",
  b: "break",
  x: "exec",
  l: "label",
  t: "reset",
  m: "merge",
  u: "update-ref",
};
const NAMES = new Set<string>(Object.values(COMMANDS));
const WITHOUT_COMMIT = new Set<TodoCommand>(["break", "exec", "label", "reset", "update-ref"]);

export function formatTodo(items: readonly TodoItem[], displayed: (oid: Oid) => string = (oid) => oid): string {
  return items
    .map(({ command, oid, text, flag }) =>
      [command, flag, oid === null ? undefined : displayed(oid), text].filter((word) => word).join(" "),
    )
    .map((line) => `${line}\n`)
    .join("");
}

export async function parseTodo(repo: Repository, text: string): Promise<TodoItem[]> {
  const items: TodoItem[] = [];
  for (const [i, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line === "noop") continue;
    const item = await parseLine(repo, line);
    if (item === null) throw new GitError("EINVAL", `invalid line ${i + 1}: ${line}`, { prefix: "error", exitCode: 1 });
    items.push(item);
  }
  return items;
}

async function parseLine(repo: Repository, line: string): Promise<TodoItem | null> {
  const [, word = "", rest = ""] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
  const command = NAMES.has(word) ? (word as TodoCommand) : COMMANDS[word];
  if (command === undefined) return null;
  if (WITHOUT_COMMIT.has(command)) return { command, oid: null, text: rest };
  const [, flag, after = ""] =
    command === "merge" || command === "fixup"
      ? (/^(-[Cc])\s+(.*)$/.exec(rest) ?? [null, undefined, rest])
      : [null, undefined, rest];
  if (command === "merge" && flag === undefined) return { command, oid: null, text: after };
  const [, name = "", text = ""] = /^(\S+)\s*(.*)$/s.exec(after) ?? [];
  const oid = await findCommit(repo, name);
  if (oid === null) return null;
  return { command, oid, text, ...(flag === undefined ? {} : { flag: flag as "-C" | "-c" }) };
}
