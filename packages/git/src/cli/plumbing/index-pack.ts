/** `git index-pack`: indexes a pack file, or a pack on stdin, which it adds to the repository. */

import { GitError } from "../../errors.ts";
import { defaultGitLimits } from "../../limits.ts";
import { MemoryBudget } from "../../memory/memory-budget.ts";
import { ingestPack } from "../../odb/ingest-pack.ts";
import { indexPack as index } from "../../pack/index-pack.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const indexPack = defineCommand({
  name: "index-pack",
  usage: [
    "git index-pack [-v] [-o <index-file>] [--keep | --keep=<msg>] [--[no-]rev-index] [--verify] [--strict] (<pack-file> | --stdin [--fix-thin] [<pack-file>])",
  ],
  flags: {
    verbose: { short: "-v", help: "be verbose" },
    output: { short: "-o", value: "string", arg: "<index-file>", help: "write the index there" },
    stdin: { long: "--stdin", help: "read the pack from stdin" },
    fixThin: { long: "--fix-thin", help: "add the bases that are missing" },
    keep: { long: "--keep", value: "optional", arg: "<msg>", help: "keep the pack from being repacked" },
    strict: { long: "--strict", value: "optional", arg: "<msg>", help: "die at broken objects" },
    revIndex: { long: "--rev-index", help: "has no effect here" },
    verify: { long: "--verify", help: "verify an existing pack" },
    threads: { long: "--threads", value: "string", arg: "<n>", help: "has no effect here" },
  },
  async run(context, { flags, args }) {
    const [name, ...more] = args;
    if (more.length > 0 || (name === undefined && !flags.stdin))
      throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(indexPack) });
    if (flags.fixThin && !flags.stdin) throw new GitError("EINVAL", "the option '--fix-thin' requires '--stdin'");
    if (flags.stdin) return fromStdin(context, flags.keep);
    if (!name?.endsWith(".pack") && !flags.output)
      throw new GitError("EINVAL", `packfile name '${name}' does not end with '.pack'`);
    const path = absolutePath(name as string, context.cwd);
    const { fs, limits = {} } = context.host;
    const out = flags.output ? absolutePath(flags.output, context.cwd) : path.replace(/pack$/, () => "idx");
    const memory = new MemoryBudget(limits.memory ?? defaultGitLimits.memory);
    const directory = await fs.mkdtemp(`${out}.tmp_`);
    try {
      const stream = await fs.readStream(path).catch(() => {
        throw new GitError("ENOTFOUND", `cannot open packfile '${name}': No such file or directory`);
      });
      const created = await index({ fs, directory, memory }, pieces(stream));
      await fs.rename(created.index, out);
      context.out(`${created.checksum}\n`);
    } finally {
      await fs.rm(directory, { recursive: true, force: true });
    }
    return 0;
  },
});

async function fromStdin(context: CommandContext, keep: string | boolean | undefined): Promise<number> {
  const repo = await context.repository();
  const { checksum } = await ingestPack(repo.odb, context.stdin.chunks(), { unpackLimit: 0 });
  if (keep !== undefined && keep !== false) {
    const text = typeof keep === "string" ? `${keep}\n` : "";
    await repo.fs.writeFile(`${repo.commonDir ?? repo.gitDir}/objects/pack/pack-${checksum}.keep`, text);
  }
  context.out(`${keep !== undefined && keep !== false ? "keep" : "pack"}\t${checksum}\n`);
  return 0;
}

async function* pieces(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
    yield value as Uint8Array;
}
