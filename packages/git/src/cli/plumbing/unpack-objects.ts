/** `git unpack-objects`: writes the objects of a pack on stdin as loose objects. */
import { GitError } from "../../errors.ts";
import { MemoryBudget } from "../../memory/memory-budget.ts";
import { ingestPack } from "../../odb/ingest-pack.ts";
import { asGitDatabase } from "../../odb/write-pack.ts";
import { indexPack } from "../../pack/index-pack.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const unpackObjects = defineCommand({
  name: "unpack-objects",
  usage: ["git unpack-objects [-n] [-q] [-r] [--strict]"],
  flags: {
    dryRun: { short: "-n", help: "do not write" },
    quiet: { short: "-q", help: "be quiet" },
    recover: { short: "-r", help: "go on after an error" },
    strict: { long: "--strict", help: "write nothing that is broken" },
  },
  async run(context, { flags, args }) {
    if (args.length > 0) throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(unpackObjects) });
    const repo = await context.repository();
    if (flags.dryRun) {
      const directory = await context.host.fs.mkdtemp(`${repo.gitDir}/objects/tmp_unpack_`);
      try {
        const memory = new MemoryBudget(repo.limits.memory);
        const odb = asGitDatabase(repo.odb);
        await indexPack({ fs: repo.fs, directory, memory }, context.stdin.chunks(), { base: (oid) => odb.read(oid) });
      } finally {
        await repo.fs.rm(directory, { recursive: true, force: true });
      }
    } else await ingestPack(repo.odb, context.stdin.chunks(), { unpackLimit: Number.POSITIVE_INFINITY });
    return 0;
  },
});
