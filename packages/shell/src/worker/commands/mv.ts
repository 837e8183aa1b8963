/** `mv` as in GNU, by renaming: into an existing directory, over a file, never a directory over a file or the reverse. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import type { ParsedFlags } from "./flags.ts";
import { overwriteConflict, type Transfer, type TransferOutcome, transferCommand } from "./transfer-command.ts";

export function mvCommand(files: FileSystem): RunCommand {
  return transferCommand(files, {
    name: "mv",
    flags: { plain: "" },
    verb: "renamed ",
    failed: ({ from, to }) => `cannot move '${from}' to '${to}'`,
    run: (transfer, flags) => move(files, transfer, flags),
  });
}

async function move(files: FileSystem, transfer: Transfer, flags: ParsedFlags): Promise<TransferOutcome> {
  const { from, to, source, target } = transfer;
  const found = await files.lstat(source).catch(() => null);
  if (found === null) return `cannot stat '${from}': No such file or directory`;
  const there = await files.lstat(target).catch(() => null);
  if (there?.ino === found.ino) return `'${from}' and '${to}' are the same file`;
  const refusal = there === null ? null : overwriteConflict(there, found, transfer, flags);
  if (refusal !== null) return refusal;
  await files.rename(withoutSlash(source), withoutSlash(target));
  return null;
}

function withoutSlash(path: string): string {
  return path.replace(/(?<=[^/])\/+$|(?<=^\/)\/+$/, () => "");
}
