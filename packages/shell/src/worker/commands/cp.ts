/** `cp` as in GNU: a file follows its link, a tree keeps its links, `-a` also preserves times; a directory needs `-r`. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import type { FlagTable, ParsedFlags } from "./flags.ts";
import {
  overwriteConflict,
  statOrNull,
  type Transfer,
  type TransferOutcome,
  transferCommand,
} from "./transfer-command.ts";

const FLAGS: FlagTable = {
  plain: "rRapPLHd",
  long: { "--recursive": "r", "--archive": "a", "--preserve": "p", "--no-dereference": "P", "--dereference": "L" },
};

export function cpCommand(files: FileSystem): RunCommand {
  return transferCommand(files, {
    name: "cp",
    flags: FLAGS,
    verb: "",
    failed: ({ to }) => `cannot create regular file '${to}'`,
    run: (transfer, flags) => copy(files, transfer, flags),
  });
}

async function copy(files: FileSystem, transfer: Transfer, flags: ParsedFlags): Promise<TransferOutcome> {
  const { from, to, source, target } = transfer;
  const { has } = flags;
  if (source === "/dev/null") return files.writeFile(target, "").then(() => null);
  const recursive = has.has("r") || has.has("R") || has.has("a");
  const keepsLinks = !has.has("L") && (recursive || has.has("P") || has.has("d"));
  const found = await (keepsLinks ? files.lstat(source).catch(() => null) : statOrNull(files, source));
  if (found === null) return `cannot stat '${from}': No such file or directory`;
  if (found.isDirectory() && !recursive) return `-r not specified; omitting directory '${from}'`;
  const there = await files.lstat(target).catch(() => null);
  if (there !== null) {
    const refusal = overwriteConflict(there, found, transfer, flags);
    if (refusal !== null) return refusal;
    const isSame = (await statOrNull(files, target))?.ino === found.ino;
    if (isSame && !found.isDirectory()) return `'${from}' and '${to}' are the same file`;
  }
  const above = target.replace(/(?<!\/)\/+$/, () => "").replace(/\/[^/]*$/, () => "") || "/";
  if ((await statOrNull(files, above)) === null) return `cannot create regular file '${to}': No such file or directory`;
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
    .replace(/(?<!\/)\/+$/, () => "")
    .split("/")
    .at(-1)}`;
}
