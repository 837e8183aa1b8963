/** `git repack`. */
import { localTime } from "../../date/local-time.ts";
import { expiryOf } from "../../porcelain/maintenance/gc.ts";
import { repack as pack } from "../../porcelain/maintenance/repack.ts";
import { defineCommand } from "../framework/command.ts";

const on = (short: string, help: string) => ({ short, help }) as const;

export const repack = defineCommand({
  name: "repack",
  usage: ["git repack [<options>]"],
  flags: {
    all: on("-a", "pack everything in a single pack"),
    allLoosen: on("-A", "same as -a, and turn unreachable objects loose"),
    remove: on("-d", "remove redundant packs, and run git-prune-packed"),
    noReuseDelta: on("-f", "pass --no-reuse-delta to git-pack-objects"),
    noReuseObject: on("-F", "pass --no-reuse-object to git-pack-objects"),
    noServerInfo: on("-n", "do not run git-update-server-info"),
    quiet: { short: "-q", long: "--quiet", help: "be quiet" },
    local: { short: "-l", long: "--local", help: "pass --local to git-pack-objects" },
    unpackUnreachable: {
      long: "--unpack-unreachable",
      value: "string",
      arg: "<approxidate>",
      help: "with -A, do not loosen objects older than this",
    },
    window: { long: "--window", value: "string", arg: "<n>", help: "size of the window used for delta compression" },
    depth: { long: "--depth", value: "string", arg: "<n>", help: "limits the maximum delta depth" },
    threads: { long: "--threads", value: "string", arg: "<n>", help: "limits the maximum number of threads" },
  },
  async run(context, { flags }) {
    const repo = await context.repository();
    const since = flags.unpackUnreachable ? expiryOf(flags.unpackUnreachable, localTime(context.host, context.env)) : 0;
    const { packs } = await pack(repo, {
      all: flags.allLoosen ? "keep-unreachable" : flags.all === true,
      removes: flags.remove,
      anew: flags.noReuseDelta || flags.noReuseObject,
      unreachableSince: since ?? 0,
      serverInfo: !flags.noServerInfo && (repo.config.getBool("repack.updateserverinfo") ?? true),
    });
    if (packs.length === 0 && !flags.quiet) context.out("Nothing new to pack.\n");
    return 0;
  },
});
