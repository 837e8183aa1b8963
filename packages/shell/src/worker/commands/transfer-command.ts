/** Common parts of `cp` and `mv`: the destination (an existing directory, or a new name), and the messages. */
import type { FileStat, FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { errnoMessage } from "./errno-message.ts";
import { type FlagTable, type ParsedFlags, parseFlags } from "./flags.ts";
import { textResult } from "./output.ts";
import { absolutePath, ensureTmpDirectory, lastPart } from "./paths.ts";

export interface Transfer {
  /** As written. */
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly target: string;
}

/** Null: success; "skipped": unchanged; otherwise the error message. */
export type TransferOutcome = string | null;

export interface TransferCommand {
  readonly name: string;
  /** In addition to the common ones: `-f -n -u -v -T -t`. */
  readonly flags: FlagTable;
  /** The verb for `-v`, before both names; empty for none. */
  readonly verb: string;
  /** The message when the file system refuses. */
  readonly failed: (transfer: Transfer) => string;
  readonly run: (transfer: Transfer, flags: ParsedFlags) => Promise<TransferOutcome>;
}

const COMMON = {
  "--force": "f",
  "--no-clobber": "n",
  "--update": "u",
  "--verbose": "v",
  "--no-target-directory": "T",
  "--target-directory": "t",
};

export function transferCommand(
  files: FileSystem,
  { name, flags: table, verb, failed, run }: TransferCommand,
): RunCommand {
  return async (args, { cwd }) => {
    const flags = parseFlags(args, {
      plain: `fnuvTi${table.plain}`,
      valued: "t",
      long: { ...COMMON, ...table.long },
    });
    if (typeof flags === "string") return textResult("", `${name}: ${flags}\n`, 1);
    const transfers = await transfersOf(files, cwd, flags);
    if (typeof transfers === "string") return textResult("", `${name}: ${transfers}\n`, 1);
    let [stdout, stderr] = ["", ""];
    for (const transfer of transfers) {
      const done = await run(transfer, flags).catch((error) => `${failed(transfer)}: ${errnoMessage(error)}`);
      if (done === "skipped") continue;
      if (done !== null) stderr += `${name}: ${done}\n`;
      else if (flags.has.has("v")) stdout += `${verb}'${transfer.from}' -> '${transfer.to}'\n`;
    }
    return textResult(stdout, stderr, stderr === "" ? 0 : 1);
  };
}

/** The existing destination: an error, "skipped", or null if it may be overwritten. */
export function overwriteConflict(
  there: FileStat,
  found: FileStat,
  { from, to }: Transfer,
  { has }: ParsedFlags,
): TransferOutcome {
  if (has.has("n")) return "skipped";
  if (has.has("u") && !found.isDirectory() && there.mtimeMs >= found.mtimeMs) return "skipped";
  if (there.isDirectory() && !found.isDirectory())
    return `cannot overwrite directory '${to}' with non-directory '${from}'`;
  if (!there.isDirectory() && found.isDirectory())
    return `cannot overwrite non-directory '${to}' with directory '${from}'`;
  return null;
}

/** A string is the error message. `-t` names the directory, `-T` declares that the last word is not one. */
async function transfersOf(
  files: FileSystem,
  cwd: string,
  { words, values, has }: ParsedFlags,
): Promise<Transfer[] | string> {
  const into = values.get("t");
  const sources = into === undefined ? words.slice(0, -1) : words;
  const last = into ?? words.at(-1);
  if (last === undefined) return "missing file operand";
  if (sources.length === 0) return `missing destination file operand after '${last}'`;
  const place = absolutePath(cwd, last);
  await ensureTmpDirectory(files, place);
  const isDirectory = !has.has("T") && ((await statOrNull(files, place))?.isDirectory() ?? false);
  if (!isDirectory && (sources.length > 1 || into !== undefined)) return `target '${last}': Not a directory`;
  return sources.map((from) => {
    const to = isDirectory ? `${last.replace(/(?<!\/)\/+$/, () => "")}/${lastPart(from)}` : last;
    return { from, to, source: absolutePath(cwd, from), target: absolutePath(cwd, to) };
  });
}

export function statOrNull(files: FileSystem, path: string): Promise<FileStat | null> {
  return files.stat(path).catch(() => null);
}
