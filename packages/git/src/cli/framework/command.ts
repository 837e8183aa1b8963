/**
 * A command is a table of flags and a function. The function gets parsed flags, calls porcelain (which returns data) and formats;
 * it never throws to its caller: `GitError` becomes text and an exit code in `run-cli.ts`.
 */
import type { GitError } from "../../errors.ts";
import type { GitHost } from "../../host.ts";
import type { OpenOptions, Repository } from "../../repository.ts";
import type { FlagTable, ParsedFlags } from "./flag-table.ts";
import type { Stdin } from "./stdin.ts";

export interface CommandIo {
  /** Text is UTF-8. */
  out(data: string | Uint8Array): void;
  err(data: string | Uint8Array): void;
  readonly stdin: Stdin;
}

export interface CommandContext extends CommandIo {
  readonly host: GitHost;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** `-c`, `--git-dir`, `--work-tree`, `-C` as given. */
  readonly open: OpenOptions;
  /** Opens the repository around `cwd`, once; fails with ENOREPO and git's message. */
  repository(): Promise<Repository>;
  /** Like `repository`, but requires a work tree. */
  workTree(): Promise<Repository & { readonly workTree: string }>;
}

export interface Command<Flags extends FlagTable = FlagTable> {
  readonly name: string;
  /** The synopsis lines, without "usage: " and "or: ". */
  readonly usage: readonly string[];
  readonly flags: Flags;
  /** Options stop at the first argument that is not an option (`git config`, `git for-each-ref` do not; `git remote add` does). */
  readonly stopAtNonOption?: boolean;
  /** Long options may not be abbreviated (`git log`, `git diff` and others that parse revisions and diff options). */
  readonly noAbbrev?: boolean;
  /** The error for an unknown option, if it differs from parse-options' own (`git log`: "unrecognized argument: --x"). */
  readonly unknownOption?: (option: string) => GitError;
  /** The error for an option without its value, if it differs from parse-options' own. */
  readonly missingValue?: (option: string) => GitError;
  /** Unknown options stay in `args`. */
  readonly keepUnknownOptions?: boolean;
  /** Tables of the subcommands (`git remote add`). The command itself parses them. */
  readonly subcommands?: Readonly<Record<string, Pick<Command, "usage" | "flags" | "stopAtNonOption">>>;
  /** Runs the command with its parsed flags; returns the exit code. */
  run(context: CommandContext, args: ParsedFlags<Flags>): Promise<number>;
}

export function defineCommand<const Flags extends FlagTable>(command: Command<Flags>): Command<Flags> {
  return command;
}
