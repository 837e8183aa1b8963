/** `git commit-tree` */

import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { refuseNul } from "../../porcelain/commit/commit-message.ts";
import { writeCommit } from "../../porcelain/commit/write-commit.ts";
import { authorIdentity, committerIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { concat, decode, encode } from "../../text/bytes.ts";
import { readInput } from "../flags/pathspec-arguments.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const commitTree = defineCommand({
  name: "commit-tree",
  usage: [
    "git commit-tree <tree> [(-p <parent>)...]",
    "git commit-tree [(-p <parent>)...] [-S[<keyid>]] [(-m <message>)...]\n                       [(-F <file>)...] <tree>",
  ],
  flags: {
    parent: { short: "-p", value: "list", arg: "<parent>", help: "id of a parent commit object" },
    message: { short: "-m", value: "list", arg: "<message>", help: "commit message" },
    file: { short: "-F", value: "list", arg: "<file>", help: "read commit log message from file" },
    gpgSign: { short: "-S", long: "--gpg-sign", value: "optional", arg: "<key-id>", help: "GPG sign commit" },
  },
  async run(context, { flags, args, afterDashes, order }) {
    const repo = await context.repository();
    const trees = [...args, ...(afterDashes ?? [])];
    if (trees.length === 0 && order.length === 0) throw new GitError("EUSAGE", "", { hint: usageText(commitTree) });
    if (flags.gpgSign) throw new GitError("EUNSUPPORTED", "signing commits is not supported here; commit without -S");
    const parents: Oid[] = [];
    for (const name of flags.parent ?? []) {
      const oid = await need(repo, name, "commit");
      if (parents.includes(oid)) context.err(`error: duplicate parent ${oid} ignored\n`);
      else parents.push(oid);
    }
    if (trees.length !== 1) throw new GitError("EINVAL", "must give exactly one tree");
    const tree = await need(repo, trees[0] as string, "tree");
    let message = new Uint8Array(0) as Uint8Array;
    let input = false;
    for (const { name, value } of order) {
      if (name !== "message" && name !== "file") continue;
      input = true;
      const part = name === "message" ? completed(encode(String(value))) : await readInput(context, String(value));
      message = concat([message, ...(message.length > 0 ? [encode("\n")] : []), part]);
    }
    if (!input) message = await context.stdin.bytes();
    const commit = {
      tree,
      parents,
      author: authorIdentity(repo),
      committer: committerIdentity(repo),
      message: decode(message),
    };
    refuseNul(commit.message);
    context.out(`${(await writeCommit(repo, commit)).oid}\n`);
    return 0;
  },
});

function completed(text: Uint8Array): Uint8Array {
  return text.length > 0 && text.at(-1) !== 10 ? concat([text, encode("\n")]) : text;
}

async function need(repo: Repository, name: string, type: "commit" | "tree"): Promise<Oid> {
  const found = await findRevision(repo, name);
  if (found === null) throw new GitError("ENOTFOUND", `not a valid object name ${name}`);
  const header = await repo.odb.header(found.oid);
  if (header?.type !== type) throw new GitError("EINVAL", `${found.oid} is not a valid '${type}' object`);
  return found.oid;
}
