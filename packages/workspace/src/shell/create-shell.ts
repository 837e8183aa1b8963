/**
 * `createShell` of `@cloudflare/workspace/shell`: creates the shell on a workspace's volume. It adds `rg`, and the search that
 * `grep` runs on standard input. Only shell commands need them, so a Worker that imports `@cloudflare/workspace/core` alone does
 * not bundle them.
 */
import { createShell as createShellOn, type Shell, type ShellHost } from "@workspace/shell";
import { runRg, searchText, type WriteView } from "@workspace/vfs";

export interface WorkspaceShellHost extends Omit<ShellHost, "worker"> {
  readonly volume: WriteView;
  readonly worker: Omit<ShellHost["worker"], "rg" | "searchText">;
}

export function createShell({ volume, worker, ...host }: WorkspaceShellHost): Shell {
  const rg: ShellHost["worker"]["rg"] = (argv, io) => runRg(volume, argv, io);
  return createShellOn({ ...host, worker: { ...worker, rg, searchText } });
}
