/**
 * GNU's spellings for just-bash commands that support the flag but not its notation: joined values, octal escapes, a missing
 * operand. The command itself is just-bash's own, passed as `origCommand`.
 */
import type { RunCommand, ShellCommand } from "../commands.ts";

type Rewrite = (args: string[]) => string[];

const rewrites: Readonly<Record<string, Rewrite>> = {
  od: (args) => args.flatMap((word) => (/^-t.+/.test(word) ? ["-t", word.slice(2)] : [word])),
  tr: (args) =>
    args.map((word) => word.replace(/\\([0-7]{1,3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)))),
  paste: (args) => (args.some((word) => word === "-" || !word.startsWith("-")) ? args : [...args, "-"]),
};

export function gnuWords(): ShellCommand[] {
  return Object.entries(rewrites).map(([name, rewrite]) => {
    const run: RunCommand = (args, { origCommand }) => origCommand!(rewrite(args));
    return { name, run };
  });
}
