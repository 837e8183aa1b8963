/** The list of all commands, in the order of the help. */
import type { Command } from "./command.ts";
import { archive } from "./commands/archive.ts";
import { cat } from "./commands/cat.ts";
import { complete, completion } from "./commands/completion.ts";
import { cp } from "./commands/cp.ts";
import { edit } from "./commands/edit.ts";
import { exec } from "./commands/exec.ts";
import { get } from "./commands/get.ts";
import { git } from "./commands/git.ts";
import { glob } from "./commands/glob.ts";
import { grep } from "./commands/grep.ts";
import { blame, diff, history } from "./commands/history.ts";
import { login, logout } from "./commands/login.ts";
import { ls } from "./commands/ls.ts";
import { mcp } from "./commands/mcp.ts";
import { mkdir } from "./commands/mkdir.ts";
import { mv } from "./commands/mv.ts";
import { open } from "./commands/open.ts";
import { put } from "./commands/put.ts";
import { rm } from "./commands/rm.ts";
import { stat } from "./commands/stat.ts";
import { tools } from "./commands/tools.ts";
import { snapshot, undo } from "./commands/undo.ts";
import { watch } from "./commands/watch.ts";
import { workspaces } from "./commands/workspaces.ts";
import { UsageError } from "./flags/usage-error.ts";

export const commands: readonly Command[] = [
  ...[ls, cat, put, get, edit, mkdir, mv, rm, stat, cp, archive],
  ...[grep, glob, exec, git, watch],
  ...[history, diff, blame, undo, snapshot],
  ...[tools, mcp, workspaces, login, logout, open],
  completion(() => commands),
];

/** Not in the help: shells call it. */
const hidden: readonly Command[] = [complete(() => commands)];

export function findCommand(name: string): Command {
  const found = [...commands, ...hidden].find((command) => command.name === name);
  if (found === undefined) throw new UsageError(`there is no command "${name}"`);
  return found;
}
