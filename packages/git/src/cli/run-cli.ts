/**
 * Entry point of the command line: argv in, bytes and an exit code out. Never throws for a user's mistake. Reports any error other
 * than `GitError` as internal, with exit code 128 as git does for its own faults.
 */

import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { withPathAttributes } from "../porcelain/path-attributes.ts";
import { openRepository } from "../repository/open-repository.ts";
import type { Repository } from "../repository.ts";
import { concat, decode, encode } from "../text/bytes.ts";
import { maskMessage, maskTerminal } from "../text/control-characters.ts";
import { foldPath } from "../text/fold-path.ts";
import { fetchPromised } from "../wire/fetch-promised.ts";
import { expandAlias } from "./framework/alias.ts";
import type { Command, CommandContext } from "./framework/command.ts";
import { type GlobalOptions, parseGlobalOptions } from "./framework/global-options.ts";
import { COMMON_COMMANDS, GIT_USAGE } from "./framework/help-text.ts";
import { parseFlags } from "./framework/parse-flags.ts";
import { printError } from "./framework/print-error.ts";
import { isGitCommand, similarCommands } from "./framework/similar-commands.ts";
import type { StdinSource } from "./framework/stdin.ts";
import { Stdin } from "./framework/stdin.ts";
import { registry } from "./registry.ts";

export interface CliCall {
  /** Without the leading "git". */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The command reads a stream on demand: most commands that take lines answer each before they read the next. */
  readonly stdin?: StdinSource;
  /** Called as output is produced; then `stdout` and `stderr` of the result stay empty. */
  readonly onStdout?: (data: Uint8Array) => void;
  readonly onStderr?: (data: Uint8Array) => void;
  /** Aborts the command's network transfer: it fails, and no ref has moved. Does not cross RPC. */
  readonly signal?: AbortSignal | undefined;
}

export interface CliResult {
  exitCode: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
}

export async function runCli(host: GitHost, call: CliCall): Promise<CliResult> {
  const { error: _, ...result } = await runCommand(host, call);
  return result;
}

/** Like `runCli`, but also returns the error itself, if any. */
export async function runCommand(host: GitHost, call: CliCall): Promise<CliResult & { error?: unknown }> {
  const out = collect(call.onStdout);
  const stderr = collect(call.onStderr);
  const err = (data: string | Uint8Array) => stderr.write(maskTerminal(typeof data === "string" ? data : decode(data)));
  try {
    const own = call.signal === undefined ? host : { ...host, signal: call.signal };
    const exitCode = await dispatch(own, call, out.write, err);
    return { exitCode, stdout: out.all(), stderr: stderr.all() };
  } catch (error) {
    const exitCode = printError(error, out.write, err);
    return { exitCode, stdout: out.all(), stderr: stderr.all(), error };
  }
}

type Write = (data: string | Uint8Array) => void;

const FLUSH_CHARACTERS = 64 * 1024;

/** Buffers text and encodes it in large pieces: a log writes hundreds of short ones. */
function collect(forward: ((data: Uint8Array) => void) | undefined): { write: Write; all(): Uint8Array } {
  const parts: Uint8Array[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") parts.push(encode(text));
    text = "";
  };
  return {
    write(data) {
      if (data.length === 0) return;
      if (forward !== undefined) return forward(typeof data === "string" ? encode(data) : data);
      if (typeof data === "string") {
        text += data;
        if (text.length > FLUSH_CHARACTERS) flush();
        return;
      }
      flush();
      parts.push(data);
    },
    all() {
      flush();
      return parts.length === 1 ? (parts[0] as Uint8Array) : concat(parts);
    },
  };
}

async function dispatch(host: GitHost, call: CliCall, out: Write, err: Write): Promise<number> {
  const options = parseGlobalOptions(call.argv, call.cwd, call.env ?? {});
  if (options.answer !== undefined) {
    out(options.answer);
    return 0;
  }
  if (options.rest.length === 0) {
    out(`${GIT_USAGE}${COMMON_COMMANDS}`);
    return 1;
  }
  await checkDirectory(host, options, call);
  const context = createContext(host, options, call, out, err);
  const { command, argv } = await findCommand(context, options.rest);
  return command.run(context, parseFlags(command, argv));
}

async function checkDirectory(host: GitHost, { cwd }: GlobalOptions, call: CliCall): Promise<void> {
  if (cwd === call.cwd) return;
  const reported = cwd.startsWith(`${call.cwd}/`) ? cwd.slice(call.cwd.length + 1) : cwd;
  const stat = await host.fs.stat(cwd).catch(() => null);
  if (stat === null) throw new GitError("ENOTFOUND", `cannot change to '${reported}': No such file or directory`);
  if (stat.type !== "dir") throw new GitError("ENOTFOUND", `cannot change to '${reported}': Not a directory`);
}

function createContext(host: GitHost, input: GlobalOptions, call: CliCall, out: Write, err: Write): CommandContext {
  const cwd = foldPath(input.cwd);
  const warn = (text: string, prefix = "warning") =>
    err(prefix === "" ? `${text}\n` : `${prefix}: ${maskMessage(text)}\n`);
  const open = { ...input.open, cwd, env: input.env, warn, fetchPromised };
  let opened: Promise<Repository> | undefined;
  const repository = () =>
    (opened ??= openRepository(host, open).then((repo) => withPathAttributes(withOriginalCwd(repo, call), input.rest)));
  return {
    host,
    cwd,
    env: input.env,
    open,
    out,
    err,
    stdin: new Stdin(call.stdin, host.releaseWhile),
    repository,
    async workTree() {
      const repo = await repository();
      if (repo.workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
      return repo as Repository & { workTree: string };
    },
  };
}

function withOriginalCwd(repo: Repository, { cwd }: CliCall): Repository {
  const { workTree } = repo;
  return {
    ...repo,
    originalCwd: workTree && cwd.startsWith(`${workTree}/`) ? `${cwd.slice(workTree.length + 1)}/` : "",
  };
}

async function findCommand(
  context: CommandContext,
  [name = "", ...argv]: readonly string[],
): Promise<{ command: Command; argv: readonly string[] }> {
  const seen: string[] = [];
  for (;;) {
    if (Object.hasOwn(registry, name)) {
      if (argv[0] === "--help") return { command: registry.help as Command, argv: [name] };
      return { command: registry[name] as Command, argv };
    }
    const expanded = await expandAlias(context, name, seen);
    if (expanded === null) throw unknownCommand(name);
    [name = "", ...argv] = [...expanded, ...argv];
  }
}

function unknownCommand(name: string): GitError {
  if (isGitCommand(name)) return new GitError("EUNSUPPORTED", `git ${name} is not supported here`);
  const similar = similarCommands(name);
  const heading = similar.length === 1 ? "The most similar command is" : "The most similar commands are";
  const hint = similar.length === 0 ? undefined : `\n${heading}\n${similar.map((one) => `\t${one}\n`).join("")}`;
  return new GitError("ENOTFOUND", `git: '${name}' is not a git command. See 'git --help'.`, {
    prefix: "",
    exitCode: 1,
    hint,
  });
}
