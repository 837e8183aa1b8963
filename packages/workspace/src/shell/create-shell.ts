/**
 * `createShell` of `@cloudflare/workspace/shell`: the shell on a workspace's volume. It adds `rg` and the search in text that is no file,
 * which only commands need: a Worker that uses `@cloudflare/workspace/core` alone comes without them.
 */
import { createShell as createShellOn, type Shell, type ShellHost } from "@workspace/shell";
import { runRg, searchText, type Volume } from "@workspace/vfs";

export interface WorkspaceShellHost extends Omit<ShellHost, "key" | "worker"> {
  readonly volume: Volume;
  readonly worker: Omit<ShellHost["worker"], "rg" | "searchText">;
}

export function createShell({ volume, worker, ...host }: WorkspaceShellHost): Shell {
  const rg: ShellHost["worker"]["rg"] = (argv, io) => runRg(volume, argv, io);
  return createShellOn({ ...host, key: volume.unrestricted, worker: { ...worker, rg, searchText } });
}
