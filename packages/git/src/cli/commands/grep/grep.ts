/** `git grep`. */
import { defineCommand } from "../../framework/command.ts";
import { patternsOf, splitRest, withDashes } from "./grep-arguments.ts";
import { grepFlags } from "./grep-flags.ts";
import { GrepRun } from "./grep-run.ts";

export const grep = defineCommand({
  name: "grep",
  usage: ["git grep [<options>] [-e] <pattern> [<rev>...] [[--] <path>...]"],
  flags: grepFlags,
  stopAtNonOption: true,
  async run(context, input) {
    const parsed = withDashes(input);
    const useIndex = parsed.flags.index !== true;
    const repo = useIndex ? await context.repository() : await context.repository().catch(() => null);
    const { tokens, rest } = await patternsOf(context, parsed);
    const search = new GrepRun(context, repo, parsed, tokens);
    const allowRevisions = useIndex && !parsed.flags.untracked;
    const { objects, paths } = await splitRest(repo, context, rest, parsed.afterDashes, allowRevisions);
    return (await search.run(objects, paths)) ? 0 : 1;
  },
});
