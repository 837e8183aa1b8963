/** `git verify-pack`. */

import { GitError } from "../../errors.ts";
import { defaultGitLimits } from "../../limits.ts";
import { MemoryBudget } from "../../memory/memory-budget.ts";
import { verifyPack as verify } from "../../odb/verify-pack.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const verifyPack = defineCommand({
  name: "verify-pack",
  usage: ["git verify-pack [-v | --verbose] [-s | --stat-only] [--] <pack>.idx..."],
  flags: {
    verbose: { short: "-v", long: "--verbose", help: "verbose" },
    statOnly: { short: "-s", long: "--stat-only", help: "show statistics only" },
    objectFormat: {
      long: "--object-format",
      value: "string",
      arg: "<hash>",
      help: "specify the hash algorithm to use",
    },
  },
  async run(context, { flags, args, afterDashes }) {
    const names = [...args, ...(afterDashes ?? [])];
    if (names.length < 1) throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(verifyPack) });
    let code = 0;
    for (const name of names) {
      const stem = name.replace(/\.(idx|pack)$/, () => "");
      const failed = await verifyOne(context, stem, flags.verbose === true, flags.statOnly === true);
      if (failed !== null) context.err(`${failed.prefix}: ${failed.message}\n`);
      if (failed !== null) code = 1;
      if (flags.verbose) context.out(`${stem}.pack: ${failed === null ? "ok" : "bad"}\n`);
    }
    return code;
  },
});

async function verifyOne(
  context: CommandContext,
  stem: string,
  verbose: boolean,
  statOnly: boolean,
): Promise<GitError | null> {
  const { fs, limits = {} } = context.host;
  const memory = new MemoryBudget(limits.memory ?? defaultGitLimits.memory);
  const chains: number[] = [];
  try {
    for await (const entry of verify(fs, absolutePath(`${stem}.idx`, context.cwd), memory)) {
      const { oid, type, size, packedSize, offset, depth, base } = entry;
      chains[depth] = (chains[depth] ?? 0) + 1;
      if (!verbose || statOnly) continue;
      const delta = base === null ? "" : ` ${depth} ${base}`;
      context.out(`${oid} ${type.padEnd(6)} ${size} ${packedSize} ${offset}${delta}\n`);
    }
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const reported = error.message.replace(/'[^']*\.idx'$/, () => `'${stem}.idx'`);
    return new GitError(error.code, reported, { prefix: error.prefix });
  }
  if (verbose || statOnly) context.out(histogram(chains));
  return null;
}

function histogram(chains: readonly number[]): string {
  const objects = (count: number) => `${count} object${count === 1 ? "" : "s"}`;
  return chains
    .map((count, depth) =>
      count === undefined
        ? ""
        : depth === 0
          ? `non delta: ${objects(count)}\n`
          : `chain length = ${depth}: ${objects(count)}\n`,
    )
    .join("");
}
