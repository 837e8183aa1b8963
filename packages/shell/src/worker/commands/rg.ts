/** `rg` is the workspace's search engine. With something on standard input and no path it searches that, as ripgrep does. */
import type { RunCommand } from "../commands.ts";
import type { WorkerHost } from "../worker-host.ts";
import { CommandOutput } from "./output.ts";
import { withStandardInput } from "./standard-input.ts";

export function rgCommand(host: WorkerHost, signal: AbortSignal): RunCommand {
  return async (argv, { cwd, stdin }) => {
    const output = new CommandOutput();
    const run = (words: readonly string[]) => host.rg(words, { cwd, ...output, signal });
    if ((stdin as unknown as string) === "" || !searchesInput(argv)) return output.result(await run(argv));
    return withStandardInput(host, stdin, async (path) =>
      output.result(await run([...argv.filter((word) => word !== "-"), path])),
    );
  };
}

/** No path among the words: one word is the pattern, or none is when a flag gives it. */
function searchesInput(argv: readonly string[]): boolean {
  if (argv.includes("-")) return true;
  let words = 0;
  let hasPattern = false;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === "--") return words + argv.length - i - 1 <= (hasPattern ? 0 : 1);
    if (/^(-e|--regexp(=|$)|--files$)/.test(word)) hasPattern = true;
    if (
      /^-[A-Za-z]*[efgtTmABCMdj]$/.test(word) ||
      /^--(regexp|glob|iglob|type|type-not|max-count|max-depth|max-columns|max-filesize|context|after-context|before-context|color|sort|threads)$/.test(
        word,
      )
    )
      i++;
    else if (!word.startsWith("-")) words++;
  }
  return words <= (hasPattern ? 0 : 1);
}
