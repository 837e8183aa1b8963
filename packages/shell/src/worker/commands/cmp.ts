/** `cmp`: the first byte at which two files differ; -s prints nothing. */
import type { FileSystem } from "@workspace/vfs";
import { fromBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

export function cmpCommand(files: FileSystem): RunCommand {
  return async (args, { cwd, stdin }) => {
    const silent = args.some((word) => word === "-s" || word === "--quiet" || word === "--silent");
    const odd = args.find((word) => word.startsWith("-") && word !== "-" && !/^(-s|--quiet|--silent)$/.test(word));
    if (odd !== undefined) return textResult("", `cmp: invalid option '${odd}'\n`, 2);
    const [one, two = "-"] = args.filter((word) => word === "-" || !word.startsWith("-"));
    if (one === undefined) return textResult("", "cmp: missing operand after 'cmp'\n", 2);
    const read = (word: string) =>
      word === "-"
        ? fromBinaryString(stdin as unknown as string)
        : files.readFile(absolutePath(cwd, word)).catch(() => null);
    const [a, b] = [await read(one), await read(two)];
    const missing = a === null ? one : b === null ? two : null;
    if (a === null || b === null) return textResult("", `cmp: ${missing}: No such file or directory\n`, 2);
    const length = Math.min(a.length, b.length);
    let at = 0;
    let line = 1;
    for (; at < length && a[at] === b[at]; at++) if (a[at] === 0x0a) line++;
    if (at === a.length && at === b.length) return textResult("", "", 0);
    if (silent) return textResult("", "", 1);
    if (at < length) return textResult(`${one} ${two} differ: byte ${at + 1}, line ${line}\n`, "", 1);
    const short = at === a.length ? one : two;
    const where =
      at === 0
        ? "which is empty"
        : `after byte ${at}, ${a[at - 1] === 0x0a ? "line" : "in line"} ${a[at - 1] === 0x0a ? line - 1 : line}`;
    return textResult("", `cmp: EOF on ${short} ${where}\n`, 1);
  };
}
