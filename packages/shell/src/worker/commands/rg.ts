/** `rg` is the workspace's search engine. In a pipe, without a path, it searches what comes out of that, as ripgrep does. */
import { bytesOf } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import type { WorkerHost } from "../worker-host.ts";
import { CommandOutput } from "./output.ts";

/** `isPiped`: whether the command that runs has a pipe before it. Something can be given to it in other ways too. */
export function rgCommand(host: WorkerHost, isPiped: () => boolean, signal: AbortSignal): RunCommand {
  return async (argv, { cwd, stdin }) => {
    const output = new CommandOutput();
    const given = bytesOf(stdin as unknown as string);
    const hasInput = given.length > 0 || isPiped();
    return output.result(await host.rg(argv, { cwd, ...output, signal, ...(hasInput && { stdin: given }) }));
  };
}
