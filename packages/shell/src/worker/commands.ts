/** Our own commands: git, rg and grep on the workspace's engines, and those that just-bash lacks. */
import type { WorkBudget } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import type { BashCommand } from "../../vendor/just-bash.js";
import type { ExecRequest } from "../exec-backend.ts";
import { bashCommands } from "./commands/bash.ts";
import { cmpCommand } from "./commands/cmp.ts";
import { cpCommand } from "./commands/cp.ts";
import { cutCommand } from "./commands/cut.ts";
import { diffCommand } from "./commands/diff.ts";
import { envCommand } from "./commands/env.ts";
import { findCommand } from "./commands/find.ts";
import { gitCommand } from "./commands/git.ts";
import { gnuWords } from "./commands/gnu-flags.ts";
import { grepCommand } from "./commands/grep.ts";
import { headCommand } from "./commands/head.ts";
import { lsCommand } from "./commands/ls.ts";
import { mkdirCommand } from "./commands/mkdir.ts";
import { mktempCommand } from "./commands/mktemp.ts";
import { mvCommand } from "./commands/mv.ts";
import { prefixCommands } from "./commands/prefix-commands.ts";
import { realpathCommand } from "./commands/realpath.ts";
import { rgCommand } from "./commands/rg.ts";
import { rmCommand } from "./commands/rm.ts";
import { sedCommand } from "./commands/sed.ts";
import { sortCommand } from "./commands/sort.ts";
import { statCommand } from "./commands/stat.ts";
import { touchCommand } from "./commands/touch.ts";
import { umaskCommand } from "./commands/umask.ts";
import { xargsCommand } from "./commands/xargs.ts";
import type { WorkerHost } from "./worker-host.ts";

export type RunCommand = BashCommand["execute"];

export interface ShellCommand {
  readonly name: string;
  readonly run: RunCommand;
}

export interface CommandDependencies {
  readonly files: FileSystem;
  readonly signal: AbortSignal;
  readonly budget: WorkBudget;
  /** Whether the running command reads from a pipe. */
  readonly isPiped: () => boolean;
}

export function createCommands(host: WorkerHost, request: ExecRequest, tools: CommandDependencies): ShellCommand[] {
  const { files, signal, budget, isPiped } = tools;
  const grep = (name: string) => ({ name, run: grepCommand(host, name, files, signal) });
  return [
    { name: "git", run: gitCommand(host, request, signal, budget) },
    { name: "rg", run: rgCommand(host, files, isPiped, signal) },
    grep("grep"),
    grep("egrep"),
    grep("fgrep"),
    { name: "mktemp", run: mktempCommand(files) },
    { name: "cmp", run: cmpCommand(files) },
    { name: "diff", run: diffCommand(files, () => new Date(), budget) },
    { name: "ls", run: lsCommand(files, Date.now) },
    { name: "head", run: headCommand(files) },
    { name: "sed", run: sedCommand(files) },
    { name: "cp", run: cpCommand(files) },
    { name: "mv", run: mvCommand(files) },
    { name: "rm", run: rmCommand(files) },
    { name: "mkdir", run: mkdirCommand(files) },
    { name: "stat", run: statCommand(files) },
    { name: "touch", run: touchCommand(files) },
    { name: "xargs", run: xargsCommand(files, budget) },
    { name: "cut", run: cutCommand(files, budget) },
    { name: "find", run: findCommand },
    { name: "sort", run: sortCommand(files) },
    { name: "umask", run: umaskCommand },
    { name: "env", run: envCommand },
    { name: "realpath", run: realpathCommand(files) },
    ...bashCommands(files),
    ...prefixCommands(),
    ...gnuWords(),
  ];
}
