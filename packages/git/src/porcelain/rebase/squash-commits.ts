/** The message of several commits made one: all of them with git's headings while more are to come, cleaned at the end. */
import { decode } from "../../bytes.ts";
import type { Oid } from "../../oid.ts";
import type { WorkRepository } from "../../worktree/survey.ts";
import { type LabelledCommit, labelCommit } from "../sequencer/commit-label.ts";
import { rebaseFolder } from "./rebase-state.ts";

export async function squashMessage(
  repo: WorkRepository,
  head: Oid,
  picked: LabelledCommit,
  command: "fixup" | "squash",
  moreFollow: boolean,
): Promise<string> {
  const path = `${rebaseFolder(repo)}/message-squash`;
  const [bytes] = await repo.fs.readMany([path]);
  const before = await labelCommit(repo, head);
  const started = bytes ? decode(bytes) : null;
  const count =
    started === null ? 2 : Number(/^# This is a combination of (\d+) commits\.$/m.exec(started)?.[1] ?? 1) + 1;
  const body =
    started === null
      ? `# This is the 1st commit message:\n\n${before.message}`
      : started.slice(started.indexOf("\n") + 1);
  const heading =
    command === "squash"
      ? `# This is the commit message #${count}:`
      : `# The commit message #${count} will be skipped:`;
  const added =
    command === "squash"
      ? picked.message
      : picked.message.replace(/^(?=.)/gm, () => "# ").replace(/^$(?=\n)/gm, () => "#");
  const text = `# This is a combination of ${count} commits.\n${body}\n${heading}\n\n${added}`;
  if (moreFollow) await repo.fs.writeFile(path, text);
  else await repo.fs.rm(path, { force: true });
  return text;
}
