/** Stores a commit in the configured encoding: treats its bytes as that encoding, and names it in a header. */

import { type Commit, parseCommit, serializeCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { encode } from "../../text/bytes.ts";
import { commitOutputEncoding, isUtf8 } from "../../text/encodings.ts";

/** Bytes that are not UTF-8, and code points that git does not accept as characters. */
const UNSOUND = /[\udc80-\udcff\p{Noncharacter_Code_Point}]/gu;
const NOT_CONFORMING = `Warning: commit message did not conform to UTF-8.
You may want to amend it after fixing the message, or set the config
variable i18n.commitEncoding to the encoding your project uses.`;

/** The commit with its text as it would be in that encoding. */
export async function commitToRewrite({ odb, config }: Repository, oid: Oid): Promise<Commit> {
  return parseCommit((await odb.need(oid, "commit")).body, commitOutputEncoding(config));
}

export async function writeCommit(repo: Repository, commit: Commit): Promise<{ oid: Oid; commit: Commit }> {
  const encoding = commitOutputEncoding(repo.config);
  const created = isUtf8(encoding) ? sound(repo, commit) : labelled(commit, encoding);
  return { oid: await repo.odb.write("commit", serializeCommit(created)), commit: created };
}

function labelled(commit: Commit, encoding: string): Commit {
  return { ...commit, extra: [{ name: "encoding", value: encoding }, ...(commit.extra ?? [])] };
}

/** Treats bytes that are not UTF-8 as Latin-1, with a warning. */
function sound(repo: Repository, commit: Commit): Commit {
  const { author, committer, message } = commit;
  const texts = [author.name, author.email, committer.name, committer.email, message];
  if (texts.every((text) => text.search(UNSOUND) < 0)) return commit;
  repo.warn?.(NOT_CONFORMING, "");
  const fixed = (text: string) => text.replace(UNSOUND, (part) => String.fromCharCode(...encode(part)));
  const person = (who: Commit["author"]) => ({ ...who, name: fixed(who.name), email: fixed(who.email) });
  return { ...commit, author: person(author), committer: person(committer), message: fixed(message) };
}
