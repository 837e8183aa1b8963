/**
 * `bash` and `sh` with their common options: `-lc`, `-euo pipefail`, `-x`, `-n`, `-s`. The equivalent commands are put before the
 * script, on its first line, so that line numbers stay the same; just-bash's own supports only `-c` and a file.
 */
import type { FileSystem } from "@workspace/vfs";
import { fromBinaryString } from "../byte-string.ts";
import type { RunCommand, ShellCommand } from "../commands.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

interface ShellCall {
  readonly options: readonly string[];
  readonly from: "text" | "input" | "file";
  readonly onlyReads: boolean;
  readonly words: readonly string[];
}

const SET = "eux";
const IGNORED = "lirBhmv";
const IGNORED_LONG = ["--login", "--norc", "--noprofile", "--posix", "--verbose"];

export function bashCommands(files: FileSystem): ShellCommand[] {
  return ["bash", "sh"].map((name) => ({ name, run: bashCommand(name, files) }));
}

function bashCommand(name: string, files: FileSystem): RunCommand {
  return async (args, { cwd, stdin, origCommand }) => {
    if (args[0] === "--help" || args[0] === "--version") return origCommand!(args);
    const call = parse(args);
    if (typeof call === "string") return textResult("", `${name}: ${call}\n`, 2);
    const { from, words, options, onlyReads } = call;
    if (from === "input" && (stdin as unknown as string) === "") return textResult("", "", 0);
    const [first, ...rest] = words;
    let text: string | null = null;
    if (from === "text") text = first ?? null;
    else if (from === "input") text = new TextDecoder().decode(fromBinaryString(stdin as unknown as string));
    else text = await files.readFile(absolutePath(cwd, first as string), "utf8").catch(() => null);
    if (text === null)
      return from === "text"
        ? textResult("", `${name}: -c: option requires an argument\n`, 2)
        : textResult("", `${name}: ${first}: No such file or directory\n`, 127);
    const script = onlyReads
      ? `if false; then ${text}\n:\nfi`
      : `${options.map((option) => `set ${option}; `).join("")}${text}`;
    const [zero, parameters] =
      from === "text" ? [rest[0] ?? name, rest.slice(1)] : from === "file" ? [first as string, rest] : [name, words];
    return origCommand!(["-c", script, zero, ...parameters]);
  };
}

/** A string is the error message. */
function parse(args: readonly string[]): ShellCall | string {
  const options: string[] = [];
  let [text, input, onlyReads, at] = [false, false, false, 0];
  for (; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "--" || word === "-") {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (IGNORED_LONG.includes(word)) continue;
    if (word.startsWith("--")) return `${word}: invalid option`;
    for (const letter of word.slice(1)) {
      if (letter === "c") text = true;
      else if (letter === "s") input = true;
      else if (letter === "n") onlyReads = true;
      else if (letter === "o") {
        const name = args[++at];
        if (name === undefined || !/^\w+$/.test(name)) return "-o: option requires an argument";
        options.push(`${word[0]}o ${name}`);
      } else if (SET.includes(letter)) options.push(`${word[0]}${letter}`);
      else if (!IGNORED.includes(letter)) return `-${letter}: invalid option`;
    }
  }
  const words = args.slice(at);
  return { options, onlyReads, words, from: text ? "text" : input || words.length === 0 ? "input" : "file" };
}
