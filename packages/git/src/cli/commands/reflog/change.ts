/** `reflog expire` and `reflog delete`. */
import { parseExpiry } from "../../../date/approxidate.ts";
import { localTime } from "../../../date/local-time.ts";
import { GitError } from "../../../errors.ts";
import { reflogIdentity } from "../../../identity.ts";
import { type ExpireOptions, expireReflog } from "../../../porcelain/expire-reflog.ts";
import type { ReflogEntry } from "../../../ref-store.ts";
import type { Repository } from "../../../repository.ts";
import { expandLog } from "../../../revision/expand-ref.ts";
import { wildmatch } from "../../../wildmatch.ts";
import type { CommandContext } from "../../command.ts";
import { parseFlags } from "../../parse-flags.ts";

const shared = {
  dryRun: { long: "--dry-run", value: "none", help: "do not actually prune any entries" },
  rewrite: {
    long: "--rewrite",
    value: "none",
    help: "rewrite the old SHA1 with the new SHA1 of the entry that now precedes it",
  },
  updateref: { long: "--updateref", value: "none", help: "update the reference to the value of the top reflog entry" },
  verbose: { long: "--verbose", value: "none", help: "print extra information on screen" },
} as const;

const expireFlags = {
  ...shared,
  expire: {
    long: "--expire",
    value: "string",
    arg: "<timestamp>",
    help: "prune entries older than the specified time",
  },
  expireUnreachable: {
    long: "--expire-unreachable",
    value: "string",
    arg: "<timestamp>",
    help: "prune entries older than <time> that are not reachable from the current tip of the branch",
  },
  staleFix: { long: "--stale-fix", value: "none", help: "prune any reflog entries that point to broken commits" },
  all: { long: "--all", value: "none", help: "process the reflogs of all references" },
  singleWorktree: {
    long: "--single-worktree",
    value: "none",
    help: "limits processing to reflogs from the current worktree only",
  },
} as const;

export const expireTable = {
  usage: ["git reflog expire [--expire=<time>] [--expire-unreachable=<time>]"],
  flags: expireFlags,
};

export const deleteTable = {
  usage: [
    "git reflog delete [--rewrite] [--updateref]\n                  [--dry-run | -n] [--verbose] <ref>@{<specifier>}...",
  ],
  flags: shared,
};

const DAY = 86_400;

export async function expireLogs(context: CommandContext, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(expireTable, argv);
  const repo = await context.repository();
  const time = localTime(context.host, context.env);
  const moment = (text: string | false | undefined): number | undefined => {
    if (!text) return undefined;
    const seconds = parseExpiry(text, time);
    if (seconds === null)
      throw new GitError(
        "EINVAL",
        `invalid timestamp '${text}' given to '--${text === flags.expire ? "expire" : "expire-unreachable"}'`,
      );
    return seconds;
  };
  const given = { before: moment(flags.expire), beforeUnreachable: moment(flags.expireUnreachable) };
  if (flags.staleFix && flags.verbose) context.out("Marking reachable objects...\n");
  const names: string[] = [];
  if (flags.all) {
    for (const name of [...(await repo.refs.list()).map((ref) => ref.name), "HEAD"]) {
      if (await repo.refs.hasReflog(name)) names.push(name);
    }
  }
  let failed = 0;
  for (const word of [...args, ...(afterDashes ?? [])]) {
    const ref = await expandLog(repo, word);
    if (ref) names.push(ref.name);
    else {
      context.err(`error: ${word} points nowhere!\n`);
      failed = 255;
    }
  }
  for (const name of names) {
    const now = time.now();
    const usual = configured(repo, name, time);
    await apply(
      context,
      repo,
      name,
      {
        before: given.before ?? usual.before ?? now - 90 * DAY,
        beforeUnreachable: given.beforeUnreachable ?? usual.beforeUnreachable ?? now - 30 * DAY,
        rewrite: flags.rewrite,
        staleFix: flags.staleFix,
      },
      flags,
    );
  }
  return failed;
}

/** gc.reflogExpire, gc.<pattern>.reflogExpire; the stash never expires unless it is said to. */
function configured({ config }: Repository, name: string, time: ReturnType<typeof localTime>) {
  const value = (key: string) => {
    const pattern = config
      .subsections("gc")
      .find((glob) => wildmatch(glob, name) && config.get(`gc.${glob}.${key}`) !== undefined);
    const text = (pattern === undefined ? undefined : config.get(`gc.${pattern}.${key}`)) ?? config.get(`gc.${key}`);
    if (text === undefined) return name === "refs/stash" ? 0 : undefined;
    return parseExpiry(text, time) ?? undefined;
  };
  return { before: value("reflogexpire"), beforeUnreachable: value("reflogexpireunreachable") };
}

interface ChangeFlags {
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
  readonly updateref?: boolean;
}

async function apply(
  context: CommandContext,
  repo: Repository,
  name: string,
  options: ExpireOptions,
  flags: ChangeFlags,
) {
  const { kept, all } = await expireReflog(repo, name, options);
  if (flags.verbose) {
    for (const { entry, isGone } of all) {
      context.out(`${isGone ? (flags.dryRun ? "would prune" : "prune") : "keep"} ${entry.message}\n`);
    }
  }
  if (flags.dryRun) return;
  await repo.refs.writeReflog(name, kept);
  const last = kept.at(-1);
  if (flags.updateref && last && (await repo.refs.read(name))?.kind === "oid") {
    await repo.refs.update([{ name, to: last.to, noDeref: true }], reflogIdentity(repo));
  }
}

export async function deleteEntries(context: CommandContext, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(deleteTable, argv);
  const words = [...args, ...(afterDashes ?? [])];
  if (words.length === 0)
    throw new GitError("EINVAL", "no reflog specified to delete", { prefix: "error", exitCode: 255 });
  const repo = await context.repository();
  let failed = 0;
  for (const word of words) {
    const [, typed, place] = /^(.*)@\{(.*)\}$/s.exec(word) ?? [];
    if (typed === undefined || place === undefined) {
      context.err(`error: not a reflog: ${word}\n`);
      failed = 255;
      continue;
    }
    const ref = await expandLog(repo, typed === "" ? "HEAD" : typed);
    if (!ref) {
      context.err(`error: no reflog for '${word}'\n`);
      failed = 255;
      continue;
    }
    await apply(
      context,
      repo,
      ref.name,
      { before: 0, beforeUnreachable: 0, drop: dropAt(context, place), rewrite: flags.rewrite },
      flags,
    );
  }
  return failed;
}

function dropAt(context: CommandContext, place: string): (at: number, entry: ReflogEntry) => boolean {
  if (/^\d+$/.test(place)) return (at) => at === Number(place);
  const time = localTime(context.host, context.env);
  const seconds = parseExpiry(place, time) ?? 0;
  let done = false;
  return (_at, { who }) => {
    if (done || who.seconds < seconds) return false;
    done = true;
    return true;
  };
}
