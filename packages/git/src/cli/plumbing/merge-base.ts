/** `git merge-base`. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { interpretBranchName } from "../../revision/branch-mark.ts";
import { expandRef } from "../../revision/expand-ref.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { forkPoint } from "../../revision/fork-point.ts";
import { independentCommits, isAncestor, mergeBases, octopusMergeBases } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import { defineCommand } from "../framework/command.ts";
import { requireExclusive } from "../framework/require-exclusive.ts";
import { usageText } from "../framework/usage-text.ts";

export const mergeBase = defineCommand({
  name: "merge-base",
  usage: [
    "git merge-base [-a | --all] <commit> <commit>...",
    "git merge-base [-a | --all] --octopus <commit>...",
    "git merge-base --is-ancestor <commit> <commit>",
    "git merge-base --independent <commit>...",
    "git merge-base --fork-point <ref> [<commit>]",
  ],
  flags: {
    all: { short: "-a", long: "--all", help: "output all common ancestors" },
    octopus: { long: "--octopus", noNegation: true, help: "find ancestors for a single n-way merge" },
    independent: {
      long: "--independent",

      noNegation: true,
      help: "list revs not reachable from others",
    },
    isAncestor: {
      long: "--is-ancestor",

      noNegation: true,
      help: "is the first one ancestor of the other?",
    },
    forkPoint: {
      long: "--fork-point",

      noNegation: true,
      help: "find where <commit> forked from reflog of <ref>",
    },
  },
  async run(context, { flags, args, afterDashes, order }) {
    requireExclusive(MODES, order);
    const words = [...args, ...(afterDashes ?? [])];
    const usage = () => new GitError("EUSAGE", "", { prefix: "", hint: usageText(mergeBase) });
    const repo = await context.repository();
    const commits = () => resolveCommits(repo, words);
    const print = (oids: readonly Oid[]) => {
      if (oids.length === 0) return 1;
      for (const oid of oids) context.out(`${oid}\n`);
      return 0;
    };
    if (flags.isAncestor) {
      if (words.length < 2) throw usage();
      if (flags.all) throw cannotCombine("--is-ancestor", "--all");
      if (words.length !== 2) throw new GitError("EINVAL", "--is-ancestor takes exactly two commits");
      const [a, b] = await commits();
      return (await isAncestor(repo, a as Oid, b as Oid)) ? 0 : 1;
    }
    if (flags.independent) {
      if (flags.all) throw cannotCombine("--independent", "--all");
      return print(await independentCommits(repo, await commits()));
    }
    if (flags.octopus) {
      const bases = await octopusMergeBases(repo, await commits());
      return print(flags.all ? bases : bases.slice(0, 1));
    }
    if (flags.forkPoint) {
      if (flags.all) throw cannotCombine("--fork-point", "--all");
      if (words.length < 1 || words.length > 2) throw usage();
      return print(await printForkPoint(repo, words[0] as string, words[1] ?? "HEAD"));
    }
    if (words.length < 2) throw usage();
    const [first, ...others] = await commits();
    const bases = await mergeBases(repo, first as Oid, others);
    return print(flags.all ? bases : bases.slice(0, 1));
  },
});

const MODES: Readonly<Record<string, string>> = {
  octopus: "octopus",
  independent: "independent",
  isAncestor: "is-ancestor",
  forkPoint: "fork-point",
};

function cannotCombine(a: string, b: string): GitError {
  return new GitError("EINVAL", `options '${a}' and '${b}' cannot be used together`);
}

async function resolveCommits(repo: Repository, names: readonly string[]): Promise<Oid[]> {
  const oids: Oid[] = [];
  for (const name of names) oids.push(await requireCommit(repo, name));
  return oids;
}

async function requireCommit(repo: Repository, name: string): Promise<Oid> {
  const found = await findRevision(repo, name, { wanted: "committish" });
  if (!found) throw new GitError("ENOTFOUND", `Not a valid object name ${name}`);
  const oid = await peelTo(repo, found.oid, "commit");
  if (!oid) {
    const type = (await repo.odb.header(found.oid))?.type;
    repo.warn?.(`object ${found.oid} is a ${type}, not a commit`, "error");
    throw new GitError("ENOTFOUND", `Not a valid commit name ${name}`);
  }
  return oid;
}

async function printForkPoint(repo: Repository, name: string, commitName: string): Promise<Oid[]> {
  const branch = await interpretBranchName(repo, name);
  const ref = branch === null ? null : await expandRef(repo, branch);
  if (!ref) throw new GitError("ENOTFOUND", `No such ref: '${name}'`);
  if (ref.count > 1) throw new GitError("EAMBIGUOUS", `Ambiguous refname: '${name}'`);
  const found = await findRevision(repo, commitName, { wanted: "committish" });
  if (!found) throw new GitError("ENOTFOUND", `Not a valid object name: '${commitName}'`);
  const point = await forkPoint(repo, ref.resolved, ref.oid, await requireCommit(repo, commitName));
  return point === null ? [] : [point];
}
