/** `git gc`. */
import { localTime } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import { gc as collect, expiryOf, needsGc } from "../../porcelain/maintenance/gc.ts";
import { checkHooks } from "../../repository/hooks.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const gc = defineCommand({
  name: "gc",
  usage: ["git gc [<options>]"],
  flags: {
    quiet: { short: "-q", long: "--quiet", help: "suppress progress reporting" },
    prune: { long: "--prune", value: "optional", arg: "<date>", help: "prune unreferenced objects" },
    cruft: { long: "--cruft", help: "pack unreferenced objects separately" },
    aggressive: { long: "--aggressive", help: "be more thorough (increased runtime)" },
    auto: { long: "--auto", help: "enable auto-gc mode" },
    force: { long: "--force", help: "force running gc even if there may be another gc running" },
    keepLargestPack: {
      long: "--keep-largest-pack",

      help: "repack all other packs except the largest pack",
    },
  },
  async run(context, { flags, args, afterDashes }) {
    if (args.length > 0 || (afterDashes ?? []).length > 0)
      throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(gc) });
    const repo = await context.repository();
    const time = localTime(context.host, context.env);
    const pruneBefore =
      flags.prune === false ? null : typeof flags.prune === "string" ? expiryOf(flags.prune, time) : undefined;
    if (flags.auto) {
      if (!(await needsGc(repo))) return 0;
      await checkHooks(repo, "auto gc");
      if (!flags.quiet)
        context.err(
          'Auto packing the repository for optimum performance.\nSee "git help gc" for manual housekeeping.\n',
        );
    }
    const collected = await collect(repo, time, { pruneBefore, aggressive: flags.aggressive });
    if (collected?.packs.length === 0 && !flags.quiet) context.out("Nothing new to pack.\n");
    return 0;
  },
});
