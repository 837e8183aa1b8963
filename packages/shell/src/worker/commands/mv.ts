/** `mv` as GNU's, by renaming: into a directory that is there, over a file, never a directory over a file or the reverse. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { reasonOf, type Transfer, transfersOf } from "./destination.ts";
import { type FlagTable, type ParsedFlags, parseFlags } from "./flags.ts";
import { textResult } from "./output.ts";

const FLAGS: FlagTable = {
  plain: "fnuvTi",
  valued: "t",
  long: {
    "--force": "f",
    "--no-clobber": "n",
    "--update": "u",
    "--verbose": "v",
    "--no-target-directory": "T",
    "--target-directory": "t",
  },
};

export function mvCommand(files: FileSystem): RunCommand {
  return async (args, { cwd }) => {
    const flags = parseFlags(args, FLAGS);
    if (typeof flags === "string") return textResult("", `mv: ${flags}\n`, 1);
    const transfers = await transfersOf(files, cwd, flags);
    if (typeof transfers === "string") return textResult("", `mv: ${transfers}\n`, 1);
    let [stdout, stderr] = ["", ""];
    for (const transfer of transfers) {
      const { from, to } = transfer;
      const wrong = await move(files, transfer, flags).catch(
        (error) => `cannot move '${from}' to '${to}': ${reasonOf(error)}`,
      );
      if (wrong === "skipped") continue;
      if (wrong !== null) stderr += `mv: ${wrong}\n`;
      else if (flags.has.has("v")) stdout += `renamed '${from}' -> '${to}'\n`;
    }
    return textResult(stdout, stderr, stderr === "" ? 0 : 1);
  };
}

/** Null when it is done, "skipped", or what is wrong. */
async function move(
  files: FileSystem,
  { from, to, source, target }: Transfer,
  { has }: ParsedFlags,
): Promise<string | null> {
  const found = await files.lstat(source).catch(() => null);
  if (found === null) return `cannot stat '${from}': No such file or directory`;
  const there = await files.lstat(target).catch(() => null);
  if (there !== null) {
    if (there.ino === found.ino) return `'${from}' and '${to}' are the same file`;
    if (has.has("n")) return "skipped";
    if (has.has("u") && there.mtimeMs >= found.mtimeMs) return "skipped";
    if (there.isDirectory() && !found.isDirectory())
      return `cannot overwrite directory '${to}' with non-directory '${from}'`;
    if (!there.isDirectory() && found.isDirectory())
      return `cannot overwrite non-directory '${to}' with directory '${from}'`;
  }
  await files.rename(
    source.replace(/(?<=.)\/+$/, () => ""),
    target.replace(/(?<=.)\/+$/, () => ""),
  );
  return null;
}
