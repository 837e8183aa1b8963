/** `sort -z` and `sort -m`, which just-bash's own lacks: NUL-terminated records are sorted as lines, and merging is sorting. */
import type { FileSystem } from "@workspace/vfs";
import { quoteWord } from "../../quote.ts";
import { fromBinaryString, toBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

const VALUED = ["-k", "-t", "-o", "--key", "--field-separator", "--output"];

export function sortCommand(files: FileSystem): RunCommand {
  return async (args, { cwd, stdin, signal, exec, exportedEnv, origCommand }) => {
    const options: string[] = [];
    const operands: string[] = [];
    let isZero = false;
    let isMerge = false;
    for (let i = 0; i < args.length; i++) {
      const word = args[i] as string;
      if (word === "--zero-terminated") isZero = true;
      else if (word === "--merge") isMerge = true;
      else if (VALUED.includes(word)) options.push(word, args[++i] ?? "");
      else if (/^-[bdfghimMnrRsuVz]+$/.test(word)) {
        isZero ||= word.includes("z");
        isMerge ||= word.includes("m");
        const rest = word.replace(/[zm]/g, "");
        if (rest !== "-") options.push(rest);
      } else if (word.startsWith("-") && word !== "-") options.push(word);
      else operands.push(word);
    }
    if (!isZero) return origCommand!(isMerge ? [...options, ...operands] : args);
    const inputs: string[] = [];
    for (const word of operands.length === 0 ? ["-"] : operands) {
      const bytes =
        word === "-"
          ? fromBinaryString(stdin as unknown as string)
          : await files.readFile(absolutePath(cwd, word)).catch(() => null);
      if (bytes === null) return textResult("", `sort: cannot read: ${word}: No such file or directory\n`, 2);
      const text = toBinaryString(bytes);
      inputs.push(text === "" || text.endsWith("\0") ? text : `${text}\0`);
    }
    const sorted = await exec!(["sort", ...options].map(quoteWord).join(" "), {
      cwd,
      env: exportedEnv ?? {},
      stdin: swapped(inputs.join("")),
      stdinKind: "bytes",
      ...(signal && { signal }),
    });
    return { ...sorted, stdout: swapped(sorted.stdout) };
  };
}

function swapped(text: string): string {
  return text.replace(/[\0\n]/g, (sign) => (sign === "\n" ? "\0" : "\n"));
}
