/** Selects the commits that a log shows: its default revision, filters by message and person, and paths. */
import type { GitConfig } from "../../config/git-config.ts";
import { GitError } from "../../errors.ts";
import { loadMailmap, type Mailmap } from "../../message/mailmap.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import { isRefName } from "../../refs/ref-name.ts";
import type { Repository } from "../../repository.ts";
import type { PathLimit } from "../../revision/compare-trees.ts";
import { type MessageFilterOptions, messageFilter } from "../../revision/message-filter.ts";
import type { RevisionArguments } from "../../revision/revision-arguments.ts";
import type { WalkOptions } from "../../revision/walk-options.ts";

/** Adds the revision that a command uses if none is named. */
export async function addDefaultRevision(repo: Repository, named: RevisionArguments, fallback: string): Promise<void> {
  if (await named.revision(fallback)) return;
  const head = await repo.refs.read("HEAD");
  if (fallback === "HEAD" && head?.kind === "symbolic" && head.target.startsWith("refs/heads/")) {
    const [content] = await repo.fs.readMany([`${repo.commonDir ?? repo.gitDir}/${head.target}`]);
    if (content || !isRefName(head.target)) throw new GitError("ECORRUPT", "your current branch appears to be broken");
    const branch = head.target.slice("refs/heads/".length);
    throw new GitError("ENOTFOUND", `your current branch '${branch}' does not have any commits yet`);
  }
  throw new GitError("ENOTFOUND", `bad default revision '${fallback}'`);
}

/** `useMailmap`: matches names after the mailmap. Undefined: everything passes. */
export function commitFilter(
  repo: Repository,
  message: MessageFilterOptions,
  useMailmap: boolean,
): WalkOptions["filter"] {
  const matches = messageFilter(message);
  if (matches === null) return undefined;
  const named = useMailmap && (message.author !== undefined || message.committer !== undefined);
  let mailmap: Promise<Mailmap> | undefined;
  return async ({ oid }) => {
    const commit = parseCommit((await repo.odb.need(oid, "commit")).body, message.encoding);
    if (!named) return matches(commit);
    const { map } = await (mailmap ??= loadMailmap(repo));
    const displayed = ({ name, email }: { name: string; email: string }) => {
      const known = map(name, email);
      return `${known.name} <${known.email}>`;
    };
    return matches(commit, { author: displayed(commit.author), committer: displayed(commit.committer) });
  };
}

/** The syntax of patterns: by request, else by configuration. */
export function patternSyntax(config: GitConfig, requested?: string): NonNullable<MessageFilterOptions["syntax"]> {
  const configured = config.get("grep.patterntype")?.toLowerCase();
  const word = requested ?? (configured === "default" ? undefined : configured);
  if (word === "extended" || word === "fixed" || word === "perl" || word === "basic") return word;
  return config.getBool("grep.extendedregexp") ? "extended" : "basic";
}

export function pathLimit(pathspec: Pathspec): PathLimit {
  return {
    match(path, isDirectory) {
      if (!isDirectory) return pathspec.matches(path, { quiet: true }) ? "all" : "none";
      if (pathspec.matchesAllUnder(path)) return "all";
      return pathspec.mayMatchUnder(path) ? "some" : "none";
    },
  };
}
