/** Commands that only change how another one runs, which makes no difference here: `nohup`, `nice`, `stdbuf`. */
import type { RunCommand, ShellCommand } from "../commands.ts";
import { textResult } from "./output.ts";

/** The number of words, from this one on, that belong to an option and not to the command. */
type Skip = (word: string) => number;

const prefixes: Readonly<Record<string, Skip>> = {
  nohup: () => 0,
  nice: (word) => (word === "-n" ? 2 : word.startsWith("-") ? 1 : 0),
  stdbuf: (word) => (/^-[ioe]$/.test(word) ? 2 : word.startsWith("-") ? 1 : 0),
};

export function prefixCommands(): ShellCommand[] {
  return Object.entries(prefixes).map(([name, skip]) => ({ name, run: prefixed(name, skip) }));
}

function prefixed(name: string, skip: Skip): RunCommand {
  return async (args, { cwd, stdin, signal, exec }) => {
    let at = 0;
    for (let n = skip(args[0] ?? ""); n > 0; n = skip(args[at] ?? "")) at += n;
    if (at >= args.length) return textResult("", `${name}: missing operand\n`, 125);
    const input = { stdin: stdin as unknown as string, stdinKind: "bytes" as const };
    return exec!("command", { cwd, args: args.slice(at), ...input, ...(signal && { signal }) });
  };
}
