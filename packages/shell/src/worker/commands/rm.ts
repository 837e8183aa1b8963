/** `rm` as in GNU: removes a link, not its target; a directory needs `-r`, an empty one `-d`; `.` and `/` are never removed. */
import type { FileSystem } from "@workspace/vfs";
import type { RunCommand } from "../commands.ts";
import { errnoMessage } from "./errno-message.ts";
import { type FlagTable, type ParsedFlags, parseFlags } from "./flags.ts";
import { textResult } from "./output.ts";
import { absolutePath, lastPart } from "./paths.ts";

const FLAGS: FlagTable = {
  plain: "rRfvdiI",
  long: { "--recursive": "r", "--force": "f", "--verbose": "v", "--dir": "d", "--one-file-system": "x" },
};

export function rmCommand(files: FileSystem): RunCommand {
  return async (args, { cwd }) => {
    const flags = parseFlags(args, FLAGS);
    if (typeof flags === "string") return textResult("", `rm: ${flags}\n`, 1);
    const { words, has } = flags;
    if (words.length === 0 && !has.has("f")) return textResult("", "rm: missing operand\n", 1);
    // There is no one to answer the prompt: as with an empty answer, nothing is removed.
    if (has.has("i")) return textResult("", "", 0);
    let [stdout, stderr] = ["", ""];
    for (const word of words) {
      const wrong = await remove(files, word, absolutePath(cwd, word), flags).catch(
        (error) => `cannot remove '${word}': ${errnoMessage(error)}`,
      );
      if (wrong !== null) stderr += `rm: ${wrong}\n`;
      else if (has.has("v")) stdout += `removed '${word}'\n`;
    }
    return textResult(stdout, stderr, stderr === "" ? 0 : 1);
  };
}

/** Null on success, or the error message. */
async function remove(files: FileSystem, word: string, path: string, { has }: ParsedFlags): Promise<string | null> {
  if ([".", ".."].includes(lastPart(word))) return `refusing to remove '.' or '..' directory: skipping '${word}'`;
  if (/^\/+$/.test(word)) return "it is dangerous to operate recursively on '/'";
  const found = await (word.endsWith("/") ? files.stat(path) : files.lstat(path)).catch((error) => {
    if (has.has("f") && ["ENOENT", "ENOTDIR"].includes(error.code)) return null;
    throw error;
  });
  if (found === null) return null;
  const recursive = has.has("r") || has.has("R");
  if (!found.isDirectory() || recursive)
    await files.rm(
      path.replace(/(?<!\/)\/+$/, () => ""),
      { recursive },
    );
  else if (has.has("d")) await files.rmdir(path);
  else return `cannot remove '${word}': Is a directory`;
  return null;
}
