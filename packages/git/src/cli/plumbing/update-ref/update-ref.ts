/** `git update-ref`: updates one ref by arguments, or many in one transaction from standard input. */
import { GitError } from "../../../errors.ts";
import { type Oid, ZERO_OID } from "../../../object/oid.ts";
import { reflogIdentity } from "../../../repository/identity.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { defineCommand } from "../../framework/command.ts";
import { usageText } from "../../framework/usage-text.ts";
import { runTransaction } from "./transaction.ts";

export const updateRef = defineCommand({
  name: "update-ref",
  usage: [
    "git update-ref [<options>] -d <refname> [<old-val>]",
    "git update-ref [<options>]    <refname> <new-val> [<old-val>]",
    "git update-ref [<options>] --stdin [-z]",
  ],
  flags: {
    message: { short: "-m", value: "string", arg: "<reason>", help: "reason of the update" },
    delete: { short: "-d", help: "delete the reference" },
    deref: { long: "--no-deref", help: "update <refname> not the one it points to" },
    nul: { short: "-z", help: "stdin has NUL-terminated arguments" },
    stdin: { long: "--stdin", help: "read updates from stdin" },
    createReflog: { long: "--create-reflog", help: "create a reflog" },
  },
  async run(context, { flags, args, afterDashes }) {
    const words = [...args, ...(afterDashes ?? [])];
    const usage = () => new GitError("EUSAGE", "", { prefix: "", hint: usageText(updateRef) });
    if (flags.message === "") throw new GitError("EINVAL", "Refusing to perform update with empty message.");
    const repo = await context.repository();
    const message = flags.message || "";
    const noDeref = flags.deref === true;
    const createReflog = flags.createReflog ?? false;
    if (flags.stdin) {
      if (flags.delete || words.length > 0) throw usage();
      return runTransaction({ context, repo, message, noDeref, createReflog, nul: flags.nul ?? false });
    }
    if (flags.nul) throw usage();
    const min = flags.delete ? 1 : 2;
    if (words.length < min || words.length > min + 1) throw usage();
    const [name = ""] = words;
    const to = flags.delete ? null : await oidOf(repo, words[1] as string, "SHA1");
    const old = words[min];
    const from = old === undefined ? undefined : old === "" ? null : await oidOf(repo, old, "old SHA1");
    const update = {
      name,
      to: to === ZERO_OID ? null : to,
      ...(from === undefined ? {} : { from }),
      noDeref,
      message,
      createReflog,
    };
    await repo.refs.update([update], reflogIdentity(repo)).catch((error) => {
      if (!(error instanceof GitError)) throw error;
      if (update.to === null)
        throw new GitError(error.code, error.message, { prefix: "error", exitCode: 1, cause: error });
      throw new GitError(error.code, `update_ref failed for ref '${name}': ${error.message}`, { cause: error });
    });
    return 0;
  },
});

async function oidOf(repo: Repository, text: string, what: string): Promise<Oid> {
  const found = await findRevision(repo, text);
  if (!found) throw new GitError("ENOTFOUND", `${text}: not a valid ${what}`);
  return found.oid;
}
