/** The message of squashed commits: all messages with git's headings while more follow, cleaned at the end. */

import type { Oid } from "../../object/oid.ts";
import { decode, encode } from "../../text/bytes.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { type LabelledCommit, labelCommit } from "../sequencer/commit-label.ts";
import { rebaseFolder } from "./rebase-state.ts";
import type { TodoItem } from "./todo-item.ts";

export interface SquashedMessage {
  /** With headings. */
  readonly text: string;
  /** For fixups only: the first commit's own message, which is not cleaned. */
  readonly fixupMessage: string | null;
}

export async function squashMessage(
  repo: WorkRepository,
  head: Oid,
  picked: LabelledCommit,
  { command, flag }: Pick<TodoItem, "command" | "flag">,
  moreFollow: boolean,
): Promise<SquashedMessage> {
  const path = `${rebaseFolder(repo)}/message-squash`;
  const [bytes] = await repo.fs.readMany([path]);
  const before = await labelCommit(repo, head);
  const started = bytes ? decode(bytes) : null;
  const fixup = `${rebaseFolder(repo)}/message-fixup`;
  const [first] = await repo.fs.readMany([fixup]);
  const only = command === "fixup" && flag === undefined;
  const fixupMessage = !only ? null : started === null ? before.message : first ? decode(first) : null;
  if (fixupMessage !== null && moreFollow) await repo.fs.writeFile(fixup, encode(fixupMessage));
  else await repo.fs.rm(fixup, { force: true });
  const count =
    started === null ? 2 : Number(/^# This is a combination of (\d+) commits\.$/m.exec(started)?.[1] ?? 1) + 1;
  const body =
    started === null
      ? `# This is the 1st commit message:\n\n${before.message}`
      : started.slice(started.indexOf("\n") + 1);
  if (command === "fixup" && flag !== undefined) {
    // Its message replaces all earlier ones.
    const skipped = started === null ? `# The 1st commit message will be skipped:\n\n${before.message}` : body;
    const own = withoutMark(picked.message);
    const replaced = `# This is a combination of ${count} commits.\n${commented(skipped)}\n# This is the commit message #${count}:\n\n${own}`;
    if (moreFollow) await repo.fs.writeFile(path, encode(replaced));
    else await repo.fs.rm(path, { force: true });
    return { text: replaced, fixupMessage };
  }
  const heading =
    command === "squash"
      ? `# This is the commit message #${count}:`
      : `# The commit message #${count} will be skipped:`;
  const added =
    command === "squash"
      ? withoutMark(picked.message)
      : picked.message.replace(/^(?=.)/gm, () => "# ").replace(/^$(?=\n)/gm, () => "#");
  const text = `# This is a combination of ${count} commits.\n${body}\n${heading}\n\n${added}`;
  if (moreFollow) await repo.fs.writeFile(path, encode(text));
  else await repo.fs.rm(path, { force: true });
  return { text, fixupMessage };
}

/** Comments out a subject that only marks where the commit belongs. */
function withoutMark(message: string): string {
  if (!/^(?:squash|fixup|amend)!/.test(message)) return message;
  const end = /\n[ \t]*\n/.exec(message)?.index ?? message.trimEnd().length;
  return commented(message.slice(0, end)) + message.slice(end);
}

/** Lines that are already comments stay unchanged. */
function commented(text: string): string {
  return text.replace(/^(?=[^#\n])/gm, () => "# ");
}
