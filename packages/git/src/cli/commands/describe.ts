/** `git describe`. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { type DescribeOptions, describe as describeCommit, describeNames } from "../../porcelain/describe/describe.ts";
import { findBlob } from "../../porcelain/describe/describe-blob.ts";
import { cannotDescribe, nameCommits } from "../../porcelain/describe/name-commits.ts";
import { collectStatus } from "../../porcelain/status/collect-status.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";

export const describe = defineCommand({
  name: "describe",
  usage: [
    "git describe [--all] [--tags] [--contains] [--abbrev=<n>] [<commit-ish>...]",
    "git describe [--all] [--tags] [--contains] [--abbrev=<n>] --dirty[=<mark>]",
    "git describe <blob>",
  ],
  flags: {
    contains: { long: "--contains", help: "find the tag that comes after the commit" },
    debug: { long: "--debug", help: "debug search strategy on stderr", unsupported: "" },
    all: { long: "--all", help: "use any ref" },
    tags: { long: "--tags", help: "use any tag, even unannotated" },
    long: { long: "--long", help: "always use long format" },
    firstParent: { long: "--first-parent", help: "only follow first parent" },
    abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "use <n> digits to display object names" },
    exactMatch: { long: "--exact-match", help: "only output exact matches" },
    candidates: {
      long: "--candidates",
      value: "number",
      arg: "<n>",
      help: "consider <n> most recent tags (default: 10)",
    },
    match: { long: "--match", value: "list", arg: "<pattern>", help: "only consider tags matching <pattern>" },
    exclude: { long: "--exclude", value: "list", arg: "<pattern>", help: "do not consider tags matching <pattern>" },
    always: { long: "--always", help: "show abbreviated commit object as fallback" },
    dirty: {
      long: "--dirty",
      value: "optional",
      arg: "<mark>",
      help: 'append <mark> on dirty working tree (default: "-dirty")',
    },
    broken: {
      long: "--broken",
      value: "optional",
      arg: "<mark>",
      help: 'append <mark> on broken working tree (default: "-broken")',
    },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const words = [...args, ...(afterDashes ?? [])];
    const abbrev =
      flags.abbrev === false ? 0 : typeof flags.abbrev === "string" ? Number.parseInt(flags.abbrev, 10) : undefined;
    if (flags.long && abbrev === 0) {
      throw new GitError("EINVAL", "options '--long' and '--abbrev=0' cannot be used together");
    }
    const options: DescribeOptions = {
      tags: flags.tags,
      all: flags.all,
      long: flags.long,
      ...(abbrev === undefined ? {} : { abbrev }),
      match: flags.match,
      exclude: flags.exclude,
      firstParent: flags.firstParent,
      candidates: flags.exactMatch ? 0 : flags.candidates || (flags.candidates === 0 ? 0 : 10),
      always: flags.always,
    };
    if (flags.contains) {
      const commits = await resolveCommits(context, repo, words.length > 0 ? words : ["HEAD"]);
      for (const line of await contained(repo, commits, flags)) context.out(`${line}\n`);
      return 0;
    }
    const names = await describeNames(repo, options);
    if (names.size === 0 && !flags.always) throw new GitError("ENOTFOUND", "No names found, cannot describe anything.");
    if (words.length > 0 && flags.dirty) {
      throw new GitError("EINVAL", "option '--dirty' and commit-ishes cannot be used together");
    }
    if (words.length > 0 && flags.broken) {
      throw new GitError("EINVAL", "option '--broken' and commit-ishes cannot be used together");
    }
    const mark = words.length === 0 ? await dirtyMark(repo, flags) : "";
    for (const word of words.length > 0 ? words : ["HEAD"]) {
      const found = await parseDescription(repo, word);
      const text = found && (await describeCommit(repo, found.commit, options, names)) + found.suffix;
      context.out(`${text ?? ""}${mark}\n`);
    }
    return 0;
  },
});

/** A commit, or the first commit and path of a blob; null: no commit has the blob. */
async function parseDescription(repo: Repository, name: string): Promise<{ commit: Oid; suffix: string } | null> {
  const found = await findRevision(repo, name);
  if (!found) throw new GitError("ENOTFOUND", `Not a valid object name ${name}`);
  const commit = await peelTo(repo, found.oid, "commit");
  if (commit) return { commit, suffix: "" };
  if ((await repo.odb.header(found.oid))?.type !== "blob")
    throw new GitError("EINVAL", `${name} is neither a commit nor blob`);
  const position = await findBlob(repo, found.oid);
  return position && { commit: position.commit, suffix: `:${position.path}` };
}

/** For `--contains`: skips names that are not commits, with a message. */
async function resolveCommits(context: CommandContext, repo: Repository, names: readonly string[]): Promise<Oid[]> {
  const commits: Oid[] = [];
  for (const name of names) {
    const found = await findRevision(repo, name);
    const commit = found && (await peelTo(repo, found.oid, "commit"));
    if (commit) commits.push(commit);
    else context.err(`Could not get ${found ? "commit" : "sha1"} for ${name}. Skipping.\n`);
  }
  return commits;
}

async function dirtyMark(
  repo: Repository,
  { dirty, broken }: { dirty?: string | boolean; broken?: string | boolean },
): Promise<string> {
  const requested = dirty ?? broken;
  if (requested === undefined || requested === false) return "";
  if (repo.workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
  const { entries } = await collectStatus(repo as Repository & { workTree: string }, { untracked: "no" });
  const changed = entries.length > 0;
  if (!changed) return "";
  return typeof dirty === "string" ? dirty : "-dirty";
}

async function contained(
  repo: Repository,
  commits: readonly Oid[],
  flags: { all?: boolean; match?: readonly string[]; exclude?: readonly string[]; always?: boolean },
): Promise<string[]> {
  const reader = commitReader(repo);
  let oldest = Number.POSITIVE_INFINITY;
  for (const oid of commits) oldest = Math.min(oldest, (await reader.read(oid)).seconds);
  const patterns = (list: readonly string[] = []) => list.map((pattern) => `refs/tags/${pattern}`);
  const nameOf = await nameCommits(repo, {
    tagsOnly: !flags.all,
    nameOnly: true,
    refs: patterns(flags.match),
    exclude: patterns(flags.exclude),
    oldest,
  });
  const lines: string[] = [];
  for (const oid of commits) {
    const name = nameOf(oid);
    if (name === null && !flags.always) throw cannotDescribe(oid);
    lines.push(name ?? (await repo.odb.abbreviate(oid)));
  }
  return lines;
}
