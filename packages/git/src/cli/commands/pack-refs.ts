/** `git pack-refs`. */
import { packRefs as pack } from "../../refs/pack-refs.ts";
import { peelTags } from "../../revision/peel.ts";
import { defineCommand } from "../framework/command.ts";

export const packRefs = defineCommand({
  name: "pack-refs",
  usage: ["git pack-refs [--all] [--no-prune]"],
  flags: {
    all: { long: "--all", help: "pack everything" },
    prune: { long: "--prune", help: "prune loose refs (default)" },
  },
  async run(context, { flags }) {
    const repo = await context.repository();
    await pack({ ...repo, peel: (oid) => peelTags(repo, oid) }, { all: flags.all, prune: flags.prune !== false });
    return 0;
  },
});
