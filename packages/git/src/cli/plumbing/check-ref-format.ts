/** `git check-ref-format`. */
import { GitError } from "../../errors.ts";
import { isBranchName, isRefName } from "../../refs/ref-name.ts";
import { interpretBranchName } from "../../revision/branch-mark.ts";
import { defineCommand } from "../framework/command.ts";

const USAGE = [
  "git check-ref-format [--normalize] [<options>] <refname>",
  "git check-ref-format --branch <branchname-shorthand>",
];

export const checkRefFormat = defineCommand({
  name: "check-ref-format",
  usage: USAGE,
  flags: {},
  keepUnknownOptions: true,
  async run(context, { args, afterDashes }) {
    const words = [...args, ...(afterDashes ?? [])];
    const usage = () => new GitError("EUSAGE", "", { prefix: "", hint: `usage: ${USAGE[0]}\n   or: ${USAGE[1]}\n` });
    if (words[0] === "--branch") {
      const name = words[1];
      if (name === undefined || words.length !== 2) throw usage();
      const repo = await context.repository().catch(() => null);
      const branch = repo && /@/.test(name) ? await interpretBranchName(repo, name) : name;
      if (branch === null || !isBranchName(branch)) {
        throw new GitError("EINVAL", `'${name}' is not a valid branch name`);
      }
      context.out(`${branch}\n`);
      return 0;
    }
    let normalize = false;
    let oneLevel = false;
    let pattern = false;
    let at = 0;
    for (; at < words.length && (words[at] as string).startsWith("-"); at++) {
      const word = words[at];
      if (word === "--normalize" || word === "--print") normalize = true;
      else if (word === "--allow-onelevel") oneLevel = true;
      else if (word === "--no-allow-onelevel") oneLevel = false;
      else if (word === "--refspec-pattern") pattern = true;
      else throw usage();
    }
    if (at !== words.length - 1) throw usage();
    let name = words[at] as string;
    if (normalize) name = name.replace(/\/+/g, "/").replace(/^\//, "");
    if (!isRefName(name, { oneLevel, pattern })) return 1;
    if (normalize) context.out(`${name}\n`);
    return 0;
  },
});
