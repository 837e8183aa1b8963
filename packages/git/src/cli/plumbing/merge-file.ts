/** `git merge-file`: merges three files, independent of any history. */
import { type ConflictStyle, type Favor, mergeText } from "@workspace/text";
import { bufferIsBinary } from "../../diff/file-contents.ts";
import { GitError } from "../../errors.ts";
import { errnoText } from "../../lock-file.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

const MAX_SIZE = 1024 * 1024 * 1023;

export const mergeFile = defineCommand({
  name: "merge-file",
  usage: ["git merge-file [<options>] [-L <name1> [-L <orig> [-L <name2>]]] <file1> <orig-file> <file2>"],
  flags: {
    stdout: { short: "-p", long: "--stdout", help: "send results to standard output" },
    diff3: { long: "--diff3", help: "use a diff3 based merge", noNegation: true },
    zdiff3: { long: "--zdiff3", help: "use a zealous diff3 based merge", noNegation: true },
    ours: { long: "--ours", help: "for conflicts, use our version", noNegation: true },
    theirs: { long: "--theirs", help: "for conflicts, use their version", noNegation: true },
    union: { long: "--union", help: "for conflicts, use a union version", noNegation: true },
    markerSize: { long: "--marker-size", value: "number", arg: "<n>", help: "for conflicts, use this marker size" },
    quiet: { short: "-q", long: "--quiet", help: "do not warn about conflicts" },
    label: { short: "-L", value: "list", arg: "<name>", help: "set labels for file1/orig-file/file2" },
  },
  async run(context, { flags, args, afterDashes, order }) {
    const files = [...args, ...(afterDashes ?? [])];
    const labels = flags.label ?? [];
    if (labels.length > 3) throw new GitError("EUSAGE", "too many labels on the command line");
    if (files.length !== 3) throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(mergeFile) });
    const repo = await context.repository().catch(() => null);
    const configured = repo?.config.get("merge.conflictstyle");
    const style = (order.findLast(({ name }) => name === "diff3" || name === "zdiff3")?.name ??
      (configured === "diff3" || configured === "zdiff3" ? configured : "merge")) as ConflictStyle;
    const favor = order.findLast(({ name }) => name === "ours" || name === "theirs" || name === "union")?.name;
    const contents: Uint8Array[] = [];
    for (const name of files) contents.push(await readInput(context, name));
    for (const [i, content] of contents.entries()) {
      if (content.length <= MAX_SIZE && !bufferIsBinary(content)) continue;
      context.err(`error: Cannot merge binary files: ${files[i]}\n`);
      return 255;
    }
    const [ours, base, theirs] = contents as [Uint8Array, Uint8Array, Uint8Array];
    const { content, conflicts } = mergeText(base, ours, theirs, {
      labels: { ours: labels[0] ?? files[0], base: labels[1] ?? files[1], theirs: labels[2] ?? files[2] },
      style,
      favor: favor as Favor | undefined,
      level: "alnum",
      markerSize: typeof flags.markerSize === "number" ? flags.markerSize : 7,
    });
    if (flags.stdout) context.out(content);
    else await context.host.fs.writeFile(absolutePath(files[0] as string, context.cwd), content);
    return Math.min(conflicts, 127);
  },
});

async function readInput({ host, cwd }: CommandContext, name: string): Promise<Uint8Array> {
  try {
    return await host.fs.readFile(absolutePath(name, cwd));
  } catch (cause) {
    const reason = errnoText((cause as { code?: string }).code);
    throw new GitError("ENOTFOUND", `Could not stat ${name}: ${reason}`, { prefix: "error", exitCode: 255, cause });
  }
}
