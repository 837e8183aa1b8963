/** Fetches from one remote or from several: prints the updates in git's table on standard error. */
import { adviceEnabled } from "../../../config/advice.ts";
import { approximateSeconds } from "../../../date/approxidate.ts";
import { type LocalTime, localTime } from "../../../date/local-time.ts";
import { GitError } from "../../../errors.ts";
import { fetchTable } from "../../../format/fetch-table.ts";
import { currentBranch } from "../../../porcelain/branch/branch-names.ts";
import { followTarget } from "../../../porcelain/branch/track-branch.ts";
import { type FetchResult, fetch as fetchFrom } from "../../../porcelain/fetch/fetch.ts";
import { hasNoRemote } from "../../../porcelain/fetch/has-no-remote.ts";
import type { Repository } from "../../../repository.ts";
import { parseRefspec } from "../../../wire/refspec.ts";
import type { RemoteConfig } from "../../../wire/remote-config.ts";
import { anonymousUrl } from "../../../wire/remote-url.ts";
import { formatCommandLine } from "../../flags/format-command-line.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { printError } from "../../framework/print-error.ts";
import { fetchFlags } from "./fetch-flags.ts";

type FetchFlags = { readonly [Name in keyof typeof fetchFlags]?: string | boolean | number | readonly string[] };

/** Returns the exit code. The reflogs name the arguments. */
export async function fetchAndPrint(context: CommandContext, parsed: ParsedFlags<typeof fetchFlags>): Promise<number> {
  const { flags, args, afterDashes } = parsed;
  const typed = formatCommandLine(fetchFlags, parsed);
  const repo = await context.repository();
  const words = [...args, ...(afterDashes ?? [])];
  if (flags.all && words.length > 0)
    throw new GitError(
      "EINVAL",
      words.length === 1
        ? "fetch --all does not take a repository argument"
        : "fetch --all does not make sense with refspecs",
    );
  const remotes = flags.all ? repo.config.subsections("remote") : flags.multiple ? words : null;
  if (remotes === null) return fetchOne(context, repo, words[0], words.slice(1), flags, typed);
  const isMany = remotes.length > 1 || flags.multiple;
  let code = 0;
  for (const [at, remote] of remotes.entries()) {
    const displayed = anonymousUrl(remote);
    if (!flags.quiet && isMany) context.out(`Fetching ${displayed}\n`);
    const own = { ...flags, append: at > 0 || flags.append };
    const words = isMany ? [...passedOn(flags), displayed] : typed;
    const failed = await fetchOne(context, repo, remote, [], own, words).catch((error) => {
      // A failed remote does not stop the remaining ones.
      if (!isMany || !(error instanceof GitError)) throw error;
      return printError(error, context.out, context.err);
    });
    if (failed !== 0) {
      context.err(`error: could not fetch ${displayed}\n`);
      code = 1;
    }
  }
  return code;
}

/** The arguments with which git starts itself for each of several remotes; they appear in the reflog. */
function passedOn(flags: FetchFlags): string[] {
  const prune = flags.prune === undefined ? [] : [flags.prune ? "--prune" : "--no-prune"];
  const tags = flags.tags === undefined ? [] : [flags.tags ? "--tags" : "--no-tags"];
  return [
    "--append",
    "--no-auto-gc",
    "--no-write-commit-graph",
    ...(flags.dryRun ? ["--dry-run"] : []),
    ...prune,
    ...(flags.pruneTags ? ["--prune-tags"] : []),
    ...(flags.updateHeadOk ? ["--update-head-ok"] : []),
    ...(flags.force ? ["--force"] : []),
    ...(flags.keep ? ["--keep"] : []),
    ...tags,
    ...Array.from({ length: Math.min(2, Number(flags.verbose ?? 0)) }, () => "-v"),
    ...(flags.quiet ? ["-q"] : []),
    ...(flags.writeFetchHead === false ? ["--no-write-fetch-head"] : []),
  ];
}

/** Also the first step of `pull`. */
async function fetchOne(
  context: CommandContext,
  repo: Repository,
  remote: string | undefined,
  refspecs: readonly string[],
  flags: FetchFlags,
  typed: readonly string[],
): Promise<number> {
  // No remote is named or configured: there is nothing to fetch from.
  if (remote === undefined && (await hasNoRemote(repo))) return 0;
  const {
    updates,
    remote: from,
    merge,
  } = await fetchFrom(repo, {
    cwd: context.cwd,
    ...(remote === undefined ? {} : { remote }),
    refspecs: joinTags(refspecs),
    words: typed,
    ...(flags.writeFetchHead === false ? { writeFetchHead: false } : {}),
    ...(flags.noTags || flags.tags === false ? { tags: "none" as const } : flags.tags ? { tags: "all" as const } : {}),
    ...(flags.prune === undefined ? {} : { prune: Boolean(flags.prune) }),
    ...(flags.pruneTags === undefined ? {} : { pruneTags: Boolean(flags.pruneTags) }),
    force: Boolean(flags.force),
    dryRun: Boolean(flags.dryRun),
    append: Boolean(flags.append),
    atomic: Boolean(flags.atomic),
    unshallow: Boolean(flags.unshallow),
    updateShallow: Boolean(flags.updateShallow),
    updateHeadOk: Boolean(flags.updateHeadOk),
    ...refmapOf(flags, refspecs),
    ...deepening(flags, localTime(context.host, context.env)),
    err: (text) => context.err(text),
    ...(flags.progress ? { progress: (text: string) => context.err(text) } : {}),
  });
  const displayed = flags.writeFetchHead === false ? updates.filter(({ kind }) => kind !== "fetched") : updates;
  const reported = { verbose: Number(flags.verbose ?? 0) > 0, dryRun: Boolean(flags.dryRun) };
  if (!flags.quiet) context.err(await fetchTable(repo, from, displayed, reported));
  const checksForced = flags.showForcedUpdates ?? repo.config.getBool("fetch.showforcedupdates") ?? true;
  if (!checksForced && adviceEnabled(repo.config, "fetchShowForcedUpdates")) context.err(UNCHECKED);
  if (flags.setUpstream) await followFetched(repo, from, merge);
  if (!updates.some(({ kind }) => kind === "rejected")) return 0;
  if (flags.atomic) context.err("error: \n");
  return 1;
}

/** An empty value only clears the refmap. */
function refmapOf({ refmap }: FetchFlags, refspecs: readonly string[]) {
  if (!Array.isArray(refmap) || refmap.length === 0) return {};
  if (refspecs.length === 0)
    throw new GitError("EINVAL", "--refmap option is only meaningful with command-line refspec(s)");
  return { refmap: refmap.filter(Boolean).map((text: string) => parseRefspec(text, "fetch")) };
}

/** Forced updates are still reported: the check is cheap here. */
const UNCHECKED = `warning: fetch normally indicates which branches had a forced update,
but that check has been disabled; to re-enable, use '--show-forced-updates'
flag or run 'git config fetch.showForcedUpdates true'
`;

/** `--set-upstream`: makes the one fetched branch the upstream of the current branch. */
async function followFetched(repo: Repository, from: RemoteConfig, merge: FetchResult["merge"]): Promise<void> {
  const branch = await currentBranch(repo);
  const [source, ...others] = merge.map((one) => one.source);
  if (others.length > 0) return repo.warn?.("multiple branches detected, incompatible with --set-upstream");
  if (source === undefined)
    return repo.warn?.(
      "no source branch found;\nyou need to specify exactly one branch with the --set-upstream option",
    );
  if (branch === null) {
    const where = from.name ?? anonymousUrl(from.url);
    return repo.warn?.(
      `could not set upstream of HEAD to '${source}' from '${where}' when it does not point to any branch.`,
    );
  }
  if (source.startsWith("refs/tags/")) return repo.warn?.("not setting upstream for a remote tag");
  if (source.startsWith("refs/remotes/"))
    return repo.warn?.("not setting upstream for a remote remote-tracking branch");
  await followTarget(repo, branch, { remote: from.name ?? from.url, merge: source });
}

/** `fetch origin tag v1` is one refspec. */
function joinTags(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word !== "tag") joined.push(word);
    else if (words[++i] === undefined) throw new GitError("EINVAL", "you need to specify a tag name");
    else joined.push(`tag ${words[i]}`);
  }
  return joined;
}

function deepening({ depth, deepen, shallowSince, shallowExclude }: FetchFlags, time: LocalTime) {
  if (!depth && !deepen && !shallowSince && !Array.isArray(shallowExclude)) return {};
  const count = depth || deepen ? Number(depth || deepen) : undefined;
  if (count !== undefined && !(Number.isInteger(count) && count > 0))
    throw new GitError(
      "EINVAL",
      deepen ? "negative depth in --deepen is not supported" : `depth ${depth} is not a positive number`,
    );
  return {
    deepen: {
      ...(count === undefined ? {} : { depth: count, relative: Boolean(deepen) }),
      ...(shallowSince ? { since: approximateSeconds(String(shallowSince), time) } : {}),
      ...(Array.isArray(shallowExclude) && shallowExclude.length > 0 ? { not: shallowExclude as string[] } : {}),
    },
  };
}
