/**
 * `rg` is the workspace's search engine. In a pipe, without a path, it searches standard input, as ripgrep does. Patterns in a file
 * (`-f`) are read here and passed one by one: the engine's command line reads no files.
 */
import type { FileSystem } from "@workspace/vfs";
import { fromBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import type { WorkerHost } from "../worker-host.ts";
import { CommandOutput, textResult } from "./output.ts";
import { absolutePath } from "./paths.ts";

const LONG_OUTPUT = 1024 * 1024;

/** `isPiped`: whether the running command reads from a pipe. It can have input in other ways too. */
export function rgCommand(
  host: WorkerHost,
  files: FileSystem,
  isPiped: () => boolean,
  signal: AbortSignal,
): RunCommand {
  return async (argv, { cwd, stdin }) => {
    const output = new CommandOutput();
    const given = fromBinaryString(stdin as unknown as string);
    const words = await withPatterns(argv, (file) =>
      file === "-" ? Promise.resolve(given) : files.readFile(absolutePath(cwd, file)).catch(() => null),
    );
    if (typeof words === "string") return textResult("", `rg: ${words}: No such file or directory (os error 2)\n`, 2);
    if (words === null) return textResult("", "", 1);
    const hasInput = given.length > 0 || isPiped();
    const exitCode = await host.rg(words, { cwd, ...output, signal, ...(hasInput && { stdin: given }) });
    await turnAfter(output);
    const result = output.result(exitCode);
    await turnAfter(output);
    return result;
  };
}

/** Converting a long output takes as long as the search of a large file: other requests run before and after it. */
async function turnAfter({ stdoutBytes }: CommandOutput): Promise<void> {
  if (stdoutBytes > LONG_OUTPUT) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Adds `-e` for every line of every `-f`; a string names a missing file, null means no pattern at all, which matches nothing. */
async function withPatterns(
  argv: readonly string[],
  read: (file: string) => Promise<Uint8Array | null>,
): Promise<string[] | string | null> {
  const end = argv.indexOf("--");
  const flags = end < 0 ? argv.length : end;
  const words: string[] = [];
  let [hasFile, hasPattern] = [false, false];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    const named = i < flags ? /^(?:-f|--file(?:=|$))(.*)$/s.exec(word) : null;
    if (named === null) {
      hasPattern ||= i < flags && /^(-e|--regexp)/.test(word);
      words.push(word);
      continue;
    }
    const file = word === "-f" || word === "--file" ? (argv[++i] ?? "") : (named[1] as string);
    const bytes = await read(file);
    if (bytes === null) return file;
    hasFile = true;
    const text = new TextDecoder().decode(bytes);
    for (const line of text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/)) {
      words.unshift(`--regexp=${line}`);
      hasPattern = true;
    }
  }
  return hasFile && !hasPattern ? null : words;
}
