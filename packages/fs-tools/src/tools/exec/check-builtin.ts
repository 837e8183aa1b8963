/**
 * Restricts the arguments of shell builtins. Some run them as code, and others take the name of a variable, whose subscript the
 * shell evaluates: `printf -v 'a[$(reboot)]'`. An allow-list that names such a command does not allow the code in its arguments.
 */
import { ToolError } from "../../errors.ts";
import type { Word } from "./parse-command.ts";

/** They run their arguments, assign variables, or redefine names. */
const EVALUATING: ReadonlySet<string> = new Set(
  (
    ". alias bind builtin command compgen complete compopt coproc declare enable eval exec export fc getopts hash history jobs let local " +
    "mapfile read readarray readonly set shopt source time trap typeset unalias unset wait"
  ).split(" "),
);

const UNARY = /^-[bcdefghkprstuwxzGLNOSn]$/;
const BINARY = /^(?:==?|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

export function checkBuiltin([name, ...args]: readonly Word[]): void {
  const command = name?.text ?? "";
  if (EVALUATING.has(command)) throw refused(command, "it evaluates its arguments");
  if (command === "printf" && !isPlainFormat(args[0]))
    throw refused(command, "its first argument must be a plain format, not a flag, an expansion or one with %n");
  const compared = command === "[" && args.at(-1)?.text === "]" ? args.slice(0, -1) : args;
  if ((command === "test" || command === "[") && !isPlainTest(compared))
    throw refused(command, "only one plain comparison can be checked");
}

/** `printf %n PATH` assigns the variable: the next command would come from a directory named 0. */
function isPlainFormat(format: Word | undefined): boolean {
  if (format === undefined) return true;
  return (
    format.literal &&
    !format.text.startsWith("-") &&
    !/%[-+ #0'*.\d$]*[hjlLqtz]*n/.test(format.text.replaceAll("%%", ""))
  );
}

/** `[!] -f word`, `[!] word = word` or one word, where no expansion can become an operator. */
function isPlainTest(args: readonly Word[]): boolean {
  if (!args.every(({ single }) => single)) return false;
  const words = args[0]?.text === "!" ? args.slice(1) : args;
  const [first, second] = words;
  if (words.length <= 1) return true;
  if (words.length === 2) return first?.literal === true && UNARY.test(first.text);
  return words.length === 3 && second?.literal === true && BINARY.test(second.text);
}

function refused(command: string, why: string): ToolError {
  return new ToolError("COMMAND_REFUSED", `${JSON.stringify(command)} was not run: ${why}.`, { command });
}
