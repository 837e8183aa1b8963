/** The sequencer's names for a commit: in conflict markers, in messages and in todo lists. */
import { skipBlankLines } from "../../message/commit-message.ts";
import type { Commit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { commitToRewrite } from "../commit/write-commit.ts";

export interface LabelledCommit {
  readonly oid: Oid;
  readonly commit: Commit;
  readonly short: string;
  /** The first line of the message. */
  readonly subject: string;
  /** Starts at the first line that is not blank. */
  readonly message: string;
  /** "1234567 (subject)". */
  readonly label: string;
}

/** Uses the output encoding of commits. */
export async function labelCommit(repo: Repository, oid: Oid): Promise<LabelledCommit> {
  const commit = await commitToRewrite(repo, oid);
  const message = commit.message.slice(skipBlankLines(commit.message, 0));
  const subject = message.split("\n", 1)[0] as string;
  const short = await repo.odb.abbreviate(oid);
  return { oid, commit, short, subject, message, label: `${short} (${subject})` };
}
