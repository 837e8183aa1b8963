/** `ls` of several operands: files first, in one list, then each directory under its name. The lists are just-bash's own. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { textResult } from "./output.ts";

export function lsCommand(files: FileSystem): RunCommand {
  return async (args, { cwd, origCommand }) => {
    const end = args.indexOf("--");
    const flags = args.filter((word, i) => word.startsWith("-") && word !== "-" && (end < 0 || i <= end));
    const operands = args.filter((word) => !flags.includes(word));
    if (operands.length < 2) return origCommand!(args);
    const itself = flags.some((word) => /^-[a-zA-Z]*d/.test(word) || word === "--directory");
    const isDirectory = async (word: string) => {
      const stat = await files.stat(word.startsWith("/") ? word : `${cwd}/${word}`).catch(() => null);
      return !itself && (stat?.isDirectory() ?? false);
    };
    const kinds = await Promise.all(operands.map(isDirectory));
    const directories = operands.filter((_, i) => kinds[i]);
    const results = [];
    for (const word of operands.filter((_, i) => !kinds[i])) results.push(await origCommand!([...flags, word]));
    let stdout = results.map((result) => result.stdout).join("");
    for (const word of directories) {
      const result = await origCommand!([...flags, word]);
      results.push(result);
      stdout += `${stdout === "" ? "" : "\n"}${word}:\n${result.stdout}`;
    }
    const failed = results.find(({ exitCode }) => exitCode !== 0);
    return textResult(stdout, results.map(({ stderr }) => stderr).join(""), failed?.exitCode ?? 0);
  };
}
