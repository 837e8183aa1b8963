/** How the sequencer names a commit: in conflict markers, in messages and in todo lists. */
import { skipBlankLines } from "../../format/commit-message.ts";
import { type Commit, parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../oid.ts";
import type { Repository } from "../../repository.ts";

export interface LabelledCommit {
  readonly oid: Oid;
  readonly commit: Commit;
  readonly short: string;
  /** The first line of the message. */
  readonly subject: string;
  /** From the first line that is not blank. */
  readonly message: string;
  /** "1234567 (subject)". */
  readonly label: string;
}

export async function labelCommit({ odb }: Repository, oid: Oid): Promise<LabelledCommit> {
  const commit = parseCommit((await odb.need(oid, "commit")).body);
  const message = commit.message.slice(skipBlankLines(commit.message, 0));
  const subject = message.split("\n", 1)[0] as string;
  const short = await odb.abbreviate(oid);
  return { oid, commit, short, subject, message, label: `${short} (${subject})` };
}
