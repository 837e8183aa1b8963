/** `git count-objects`. */
import { GitError } from "../../errors.ts";
import { countObjects as count } from "../../odb/count-objects.ts";
import { asGitDatabase } from "../../odb/write-pack.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const countObjects = defineCommand({
  name: "count-objects",
  usage: ["git count-objects [-v] [-H | --human-readable]"],
  flags: {
    verbose: { short: "-v", long: "--verbose", value: "count", help: "be verbose" },
    human: { short: "-H", long: "--human-readable", help: "print sizes in human readable format" },
  },
  async run(context, { flags, args, afterDashes }) {
    if (args.length > 0 || (afterDashes ?? []).length > 0)
      throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(countObjects) });
    const repo = await context.repository();
    const odb = asGitDatabase(repo.odb);
    const counts = await count(odb);
    const size = (kilobytes: number, bytes: number) => (flags.human ? humanSize(bytes) : String(Math.floor(kilobytes)));
    const loose = size(counts.looseKilobytes, counts.looseKilobytes * 1024);
    if (!flags.verbose) {
      context.out(`${counts.loose} objects, ${flags.human ? loose : `${loose} kilobytes`}\n`);
      return 0;
    }
    const displayed = (path: string) =>
      repo.displayGitDir === undefined || !path.startsWith(repo.gitDir)
        ? path
        : `${repo.displayGitDir}${path.slice(repo.gitDir.length)}`;
    for (const { path, reason } of counts.garbage) context.err(`warning: ${reason}: ${displayed(path)}\n`);
    const { packBytes, garbageBytes } = counts;
    const lines = [
      `count: ${counts.loose}`,
      `size: ${loose}`,
      `in-pack: ${counts.packed}`,
      `packs: ${counts.packs}`,
      `size-pack: ${size(packBytes / 1024, packBytes)}`,
      `prune-packable: ${counts.prunable}`,
      `garbage: ${counts.garbage.length}`,
      `size-garbage: ${size(garbageBytes / 1024, garbageBytes)}`,
    ];
    for (const { directory } of (await odb.sources()).slice(1)) lines.push(`alternate: ${directory}`);
    context.out(`${lines.join("\n")}\n`);
    return 0;
  },
});

/** Formats a size as git does: two decimals, in the unit that leaves a number over one. */
function humanSize(bytes: number): string {
  const units: [number, string][] = [
    [2 ** 30, "GiB"],
    [2 ** 20, "MiB"],
    [2 ** 10, "KiB"],
  ];
  for (const [unit, name] of units) {
    if (bytes <= unit) continue;
    const hundredths = Math.floor(((bytes % unit) * 100) / unit);
    return `${Math.floor(bytes / unit)}.${String(hundredths).padStart(2, "0")} ${name}`;
  }
  return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
}
