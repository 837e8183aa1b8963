/** `git prune`. */

import { parseExpiry } from "../../date/approxidate.ts";
import { localTime } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { prune as remove } from "../../porcelain/maintenance/prune.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { defineCommand } from "../framework/command.ts";

export const prune = defineCommand({
  name: "prune",
  usage: ["git prune [-n] [-v] [--progress] [--expire <time>] [--] [<head>...]"],
  flags: {
    dryRun: { short: "-n", long: "--dry-run", help: "do not remove, show only" },
    verbose: { short: "-v", long: "--verbose", help: "report pruned objects" },
    progress: { long: "--progress", help: "show progress" },
    expire: { long: "--expire", value: "string", arg: "<expiry-date>", help: "expire objects older than <time>" },
    excludePromisor: {
      long: "--exclude-promisor-objects",

      help: "limit traversal to objects outside promisor packfiles",
    },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const heads: Oid[] = [];
    for (const name of [...args, ...(afterDashes ?? [])]) {
      const found = await findRevision(repo, name);
      if (found === null) throw new GitError("ENOTFOUND", `unrecognized argument: ${name}`);
      heads.push(found.oid);
    }
    let before = Number.POSITIVE_INFINITY;
    if (flags.expire) {
      const parsed = parseExpiry(flags.expire, localTime(context.host, context.env));
      if (parsed === null) throw new GitError("EINVAL", `malformed expiration date '${flags.expire}'`);
      before = parsed;
    }
    const pruned = await remove(repo, { before, dryRun: flags.dryRun === true, heads });
    if (flags.dryRun || flags.verbose) for (const { oid, type } of pruned) context.out(`${oid} ${type}\n`);
    return 0;
  },
});
