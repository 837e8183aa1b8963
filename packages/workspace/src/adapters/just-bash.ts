/**
 * A workspace as just-bash's file system: `new Bash({ fs: asJustBashFs(workspace.fs), cwd: "/workspace" })`, for your own version
 * of just-bash with your own commands. `workspace.shell` already contains a just-bash, with limits, records and history.
 */
import { type BashFileSystem, createBashFileSystem } from "@workspace/shell/bash-file-system";
import type { FileSystem } from "@workspace/vfs";

export type { BashFileSystem, BashStat } from "@workspace/shell/bash-file-system";

export interface JustBashOptions {
  /**
   * Names to show as programs in /bin and /usr/bin, which `which` and PATH search. just-bash runs its commands without them, unless
   * the workspace has its own /bin or /usr/bin: then pass just-bash's `getCommandNames()`.
   */
  commands?: readonly string[];
}

export function asJustBashFs(fs: FileSystem, { commands = [] }: JustBashOptions = {}): BashFileSystem {
  const names = new Set(commands);
  return createBashFileSystem(fs, { isCommand: (name) => names.has(name) });
}
