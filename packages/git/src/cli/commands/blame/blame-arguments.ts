/** Parses the arguments of `blame`: the file, the revisions, and the text to begin with. */

import { GitError } from "../../../errors.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { RevisionArguments } from "../../../revision/revision-arguments.ts";
import { pathInTree } from "../../../text/relative-path.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { FlagTable, ParsedFlagSubset } from "../../framework/flag-table.ts";

export async function readBlameArguments(
  context: CommandContext,
  repo: Repository,
  { args, afterDashes }: Pick<ParsedFlagSubset<FlagTable>, "args" | "afterDashes">,
  usage: () => GitError,
) {
  let words = [...args];
  let name: string;
  if (afterDashes !== null) {
    if (afterDashes.length === 0 || afterDashes.length > 2) throw usage();
    name = afterDashes[0] as string;
    if (afterDashes.length === 2) {
      if (args.length > 0) throw usage();
      words = [afterDashes[1] as string];
    }
  } else {
    if (words.length === 0) throw usage();
    const isSwapped = words.length === 2 && (await isRevision(repo, words[1] as string));
    name = isSwapped ? (words.shift() as string) : (words.pop() as string);
  }
  const path = pathInTree(repo, name);
  if (path === null)
    throw new GitError("EINVAL", `'${name}' is outside repository at '${repo.workTree ?? context.cwd}'`);
  const revisions = new RevisionArguments(repo);
  for (const word of words) {
    if (!(await revisions.revision(word))) throw new GitError("ENOTFOUND", `bad revision '${word}'`);
  }
  return { path: path.replace(/\/$/, () => ""), revisions };
}

async function isRevision(repo: Repository, text: string): Promise<boolean> {
  const found = await findRevision(repo, text, { quiet: true }).catch(() => null);
  return found !== null;
}
