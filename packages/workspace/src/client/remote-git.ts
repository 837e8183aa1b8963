/** git in another object. `onStdout` and `onStderr` do not cross RPC: the result has the output. */
import type { CliResult, Git, GitCall } from "@workspace/git";
import { ownBytes, type WireGitResult } from "@workspace/protocol";
import { GIT_METHODS } from "../git/git-methods.ts";
import { encodeContent } from "./encode-content.ts";
import { collect, takeBytes } from "./incoming.ts";
import type { RpcClient } from "./rpc-client.ts";

export function createRemoteGit(connection: RpcClient): Git {
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

async function remoteCli(connection: RpcClient, call: GitCall): Promise<CliResult> {
  const { argv, cwd, env, stdin } = call;
  const isWhole = stdin === undefined || typeof stdin === "string" || stdin instanceof Uint8Array;
  const { sent, body, broken } = isWhole
    ? { sent: stdin instanceof Uint8Array ? ownBytes(stdin) : stdin }
    : encodeContent(stdin, { path: "stdin" });
  const words = { argv: [...argv], cwd, env, stdin: body ?? sent };
  const { value, stream } = await connection.call("gitCli", [words]).catch((error: unknown) => {
    throw broken?.()?.error ?? error;
  });
  const { exitCode, stdoutSize, stderrSize, stdout, stderr } = value as WireGitResult;
  if (stream === undefined) return { exitCode, stdout: stdout as Uint8Array, stderr: stderr as Uint8Array };
  const both = await collect(connection, "git", stream, stdoutSize + stderrSize);
  return { exitCode, stdout: both.subarray(0, stdoutSize), stderr: both.subarray(stdoutSize) };
}
