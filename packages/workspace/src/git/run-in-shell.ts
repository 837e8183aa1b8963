/** Lets git run a command line (`rebase --exec`) in the workspace's own shell. */
import type { GitHost } from "@workspace/git";
import type { Shell } from "@workspace/shell";

/** A command without an exit code, because it was lost or killed, has failed. */
export function runInShell(shell: () => Shell): NonNullable<GitHost["run"]> {
  return async ({ command, cwd, env }) => {
    await using handle = await shell().exec(command, { cwd, env, encoding: "bytes" });
    const { exitCode, stdout, stderr } = await handle.result();
    return { exitCode: exitCode ?? 1, stdout, stderr };
  };
}
