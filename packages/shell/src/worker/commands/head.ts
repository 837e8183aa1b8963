/** `head -n -N`, all but the last lines, which just-bash's own lacks. */
import type { FileSystem } from "@workspace/vfs";
import { fromBinaryString, toBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { bytesResult, textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

export function headCommand(files: FileSystem): RunCommand {
  return async (args, { cwd, stdin, origCommand }) => {
    const at = args.findIndex(
      (word, i) => /^-n-\d+$/.test(word) || (word === "-n" && /^-\d+$/.test(args[i + 1] ?? "")),
    );
    if (at < 0) return origCommand!(args);
    const joined = args[at] !== "-n";
    const less = Number((joined ? args[at] : args[at + 1])!.replace(/^-n?-?/, ""));
    const operands = args.filter((_, i) => i !== at && (joined || i !== at + 1));
    if (operands.length > 1) return textResult("", "head: -n -NUM takes one file in the Worker's shell\n", 1);
    const [word = "-"] = operands;
    const path = absolutePath(cwd, word);
    const input =
      word === "-" ? fromBinaryString(stdin as unknown as string) : await files.readFile(path).catch(() => null);
    if (input === null)
      return textResult("", `head: cannot open '${word}' for reading: No such file or directory\n`, 1);
    const lines = toBinaryString(input).match(/[^\n]*\n|[^\n]+$/g) ?? [];
    return bytesResult(
      fromBinaryString(lines.slice(0, Math.max(0, lines.length - less)).join("")),
      new Uint8Array(0),
      0,
    );
  };
}
