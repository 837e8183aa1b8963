/** `cp` as GNU's: a file follows its link, a tree keeps its links, `-a` keeps times too; a directory needs `-r`. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { reasonOf, statOf, type Transfer, transfersOf } from "./destination.ts";
import { type FlagTable, type ParsedFlags, parseFlags } from "./flags.ts";
import { textResult } from "./output.ts";

const FLAGS: FlagTable = {
  plain: "rRapPLHdfnuvTi",
  valued: "t",
  long: {
    "--recursive": "r",
    "--archive": "a",
    "--preserve": "p",
    "--no-dereference": "P",
    "--dereference": "L",
    "--force": "f",
    "--no-clobber": "n",
    "--update": "u",
    "--verbose": "v",
    "--no-target-directory": "T",
    "--target-directory": "t",
  },
};

export function cpCommand(files: FileSystem): RunCommand {
  return async (args, { cwd }) => {
    const flags = parseFlags(args, FLAGS);
    if (typeof flags === "string") return textResult("", `cp: ${flags}\n`, 1);
    const transfers = await transfersOf(files, cwd, flags);
    if (typeof transfers === "string") return textResult("", `cp: ${transfers}\n`, 1);
    let [stdout, stderr] = ["", ""];
    for (const transfer of transfers) {
      const wrong = await copy(files, transfer, flags).catch(
        (error) => `cannot create regular file '${transfer.to}': ${reasonOf(error)}`,
      );
      if (wrong === "skipped") continue;
      if (wrong !== null) stderr += `cp: ${wrong}\n`;
      else if (flags.has.has("v")) stdout += `'${transfer.from}' -> '${transfer.to}'\n`;
    }
    return textResult(stdout, stderr, stderr === "" ? 0 : 1);
  };
}

/** Null when it is done, "skipped", or what is wrong. */
async function copy(
  files: FileSystem,
  { from, to, source, target }: Transfer,
  { has }: ParsedFlags,
): Promise<string | null> {
  if (source === "/dev/null") return files.writeFile(target, "").then(() => null);
  const recursive = has.has("r") || has.has("R") || has.has("a");
  const keepsLinks = !has.has("L") && (recursive || has.has("P") || has.has("d"));
  const found = await (keepsLinks ? files.lstat(source).catch(() => null) : statOf(files, source));
  if (found === null) return `cannot stat '${from}': No such file or directory`;
  if (found.isDirectory() && !recursive) return `-r not specified; omitting directory '${from}'`;
  const there = await files.lstat(target).catch(() => null);
  if (there !== null) {
    if (has.has("n")) return "skipped";
    if (has.has("u") && !found.isDirectory() && there.mtimeMs >= found.mtimeMs) return "skipped";
    const isSame = (await statOf(files, target))?.ino === found.ino;
    if (isSame && !found.isDirectory()) return `'${from}' and '${to}' are the same file`;
    if (there.isDirectory() && !found.isDirectory())
      return `cannot overwrite directory '${to}' with non-directory '${from}'`;
    if (!there.isDirectory() && found.isDirectory())
      return `cannot overwrite non-directory '${to}' with directory '${from}'`;
  }
  const above = target.replace(/\/+$/, () => "").replace(/\/[^/]*$/, () => "") || "/";
  if ((await statOf(files, above)) === null) return `cannot create regular file '${to}': No such file or directory`;
  if (
    found.isDirectory() &&
    `${await realTarget(files, above, target)}/`.startsWith(`${await files.realpath(source)}/`)
  )
    return `cannot copy a directory, '${from}', into itself, '${to}'`;
  const times = has.has("p") || has.has("a");
  await files.cp(source, target, {
    recursive,
    preserveTimestamps: times,
    dereference: !keepsLinks,
    verbatimSymlinks: true,
  });
  return null;
}

async function realTarget(files: FileSystem, above: string, target: string): Promise<string> {
  return `${await files.realpath(above)}/${target
    .replace(/\/+$/, () => "")
    .split("/")
    .at(-1)}`;
}
