/** `reflog expire` and `reflog delete`. */
import { approxidate, parseExpiry } from "../../../date/approxidate.ts";
import { localTime } from "../../../date/local-time.ts";
import { GitError } from "../../../errors.ts";
import { type ExpireOptions, everyReflog, expireReflog, usualExpiry } from "../../../porcelain/expire-reflog.ts";
import type { ReflogEntry } from "../../../refs/ref-store.ts";
import { reflogIdentity } from "../../../repository/identity.ts";
import type { Repository } from "../../../repository.ts";
import { expandLog } from "../../../revision/expand-ref.ts";
import type { CommandContext } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";

const shared = {
  dryRun: { long: "--dry-run", help: "do not actually prune any entries" },
  rewrite: {
    long: "--rewrite",

    help: "rewrite the old SHA1 with the new SHA1 of the entry that now precedes it",
  },
  updateref: { long: "--updateref", help: "update the reference to the value of the top reflog entry" },
  verbose: { long: "--verbose", help: "print extra information on screen" },
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
  staleFix: { long: "--stale-fix", help: "prune any reflog entries that point to broken commits" },
  all: { long: "--all", help: "process the reflogs of all references" },
  singleWorktree: {
    long: "--single-worktree",

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
  const input = { before: moment(flags.expire), beforeUnreachable: moment(flags.expireUnreachable) };
  if (flags.staleFix && flags.verbose) context.out("Marking reachable objects...\n");
  const logs: { repo: Repository; name: string }[] = [];
  if (flags.all) logs.push(...(await everyReflog(repo, { singleWorktree: flags.singleWorktree })));
  let failed = 0;
  for (const word of [...args, ...(afterDashes ?? [])]) {
    const ref = await expandLog(repo, word);
    if (ref) logs.push({ repo, name: ref.name });
    else {
      context.err(`error: ${word} points nowhere!\n`);
      failed = 255;
    }
  }
  for (const { repo: position, name } of logs) {
    const usual = usualExpiry(repo, name, time);
    const options: ExpireOptions = {
      before: input.before ?? usual.before,
      beforeUnreachable: input.beforeUnreachable ?? usual.beforeUnreachable,
      rewrite: flags.rewrite,
      staleFix: flags.staleFix,
    };
    await apply(context, position, name, options, flags).catch((error) => {
      if (!(error instanceof GitError && error.code === "ELOCKED")) throw error;
      context.err(`error: ${error.message}\n`);
      failed = 255;
    });
  }
  return failed;
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
  const { retained, all } = await expireReflog(repo, name, options);
  if (flags.verbose) {
    for (const { entry, isGone } of all) {
      context.out(`${isGone ? (flags.dryRun ? "would prune" : "prune") : "keep"} ${entry.message}\n`);
    }
  }
  if (flags.dryRun) return;
  await repo.refs.writeReflog(name, retained);
  const last = retained.at(-1);
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
    const [, typed, position] = /^(.*)@\{(.*)\}$/s.exec(word) ?? [];
    if (typed === undefined || position === undefined) {
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
    const drop = dropAt(context, position, await repo.refs.reflog(ref.name));
    await apply(context, repo, ref.name, { before: 0, beforeUnreachable: 0, drop, rewrite: flags.rewrite }, flags);
  }
  return failed;
}

/** Selects by number, newest 0; or by time: the last entry that is older. */
function dropAt(context: CommandContext, position: string, entries: readonly ReflogEntry[]): (at: number) => boolean {
  if (/^\d+$/.test(position)) return (at) => at === Number(position);
  const { seconds } = approxidate(position, localTime(context.host, context.env));
  const older = entries.filter(({ who }) => who.seconds < seconds).length;
  return (at) => older > 0 && at === entries.length - older;
}
