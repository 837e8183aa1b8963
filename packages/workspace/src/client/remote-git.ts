/** git in another object. `onStdout` and `onStderr` do not cross: what the command wrote is in the result. */
import type { CliResult, Git, GitCall } from "@workspace/git";
import type { WireGitResult } from "@workspace/protocol";
import { FsError } from "@workspace/vfs";
import { GIT_METHODS } from "../git/git-methods.ts";
import type { Connection } from "./connection.ts";
import { collect, takeBytes } from "./incoming.ts";

export function createRemoteGit(connection: Connection): Git {
  const facade: Partial<Record<keyof Git, unknown>> = {};
  for (const name of GIT_METHODS) {
    facade[name] = async (options?: unknown) => {
      const answer = await connection.call("gitCall", options === undefined ? [name] : [name, options]);
      return answer.stream === undefined ? answer.value : takeBytes(connection, "git", answer);
    };
  }
  facade.cli = (call: GitCall) => remoteCli(connection, call);
  return facade as Git;
}

async function remoteCli(connection: Connection, call: GitCall): Promise<CliResult> {
  const { argv, cwd, env, stdin } = call;
  if (typeof stdin === "function")
    throw new FsError("EINVAL", { syscall: "git", reason: "stdin must be text or bytes to be sent" });
  const { value, stream } = await connection.call("gitCli", [{ argv: [...argv], cwd, env, stdin }]);
  const { exitCode, stdoutSize, stderrSize, stdout, stderr } = value as WireGitResult;
  if (stream === undefined) return { exitCode, stdout: stdout as Uint8Array, stderr: stderr as Uint8Array };
  const both = await collect(connection, "git", stream, stdoutSize + stderrSize);
  return { exitCode, stdout: both.subarray(0, stdoutSize), stderr: both.subarray(stdoutSize) };
}
