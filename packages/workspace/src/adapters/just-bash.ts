/**
 * A workspace as just-bash's file system: `new Bash({ fs: asJustBashFs(workspace.fs), cwd: "/workspace" })`, for your own version of
 * just-bash with your own commands. `workspace.shell` has a just-bash inside already, with limits, records and history.
 */
import { type BashFileSystem, createBashFileSystem } from "@workspace/shell/bash-file-system";
import type { FileSystem } from "@workspace/vfs";

export type { BashFileSystem, BashStat } from "@workspace/shell/bash-file-system";

export interface JustBashOptions {
  /**
   * Names to show as programs in /bin and /usr/bin, which `which` and PATH look at. just-bash runs its commands without them, unless
   * the workspace has a /bin or /usr/bin of its own: then pass just-bash's `getCommandNames()`.
   */
  commands?: readonly string[];
}

export function asJustBashFs(fs: FileSystem, { commands = [] }: JustBashOptions = {}): BashFileSystem {
  const names = new Set(commands);
  return createBashFileSystem(fs, { isCommand: (name) => names.has(name) });
}
