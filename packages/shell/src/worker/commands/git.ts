/** `git` is the workspace's own: the same command line, on the same files, under the same call. */

import type { WorkBudget } from "@workspace/protocol";
import type { ExecRequest } from "../../exec-backend.ts";
import { fromBinaryString } from "../byte-string.ts";
import type { RunCommand } from "../commands.ts";
import { guardFileSystem } from "../guard-file-system.ts";
import type { WorkerHost } from "../worker-host.ts";
import { bytesResult, textResult } from "./output.ts";

export function gitCommand(
  host: WorkerHost,
  request: ExecRequest,
  signal: AbortSignal,
  budget: WorkBudget,
): RunCommand {
  return async (argv, { cwd, exportedEnv, stdin }) => {
    const git = host.git(request, { signal, wrap: (fs) => guardFileSystem(fs, signal, budget) });
    if (git === null) return textResult("", "git: this workspace was made without git; it needs a container\n", 127);
    const input = fromBinaryString(stdin as unknown as string);
    const { stdout, stderr, exitCode } = await git.cli({ argv, cwd, env: exportedEnv ?? {}, stdin: input });
    return bytesResult(stdout, stderr, exitCode);
  };
}
