/**
 * Runs commands of the same engine as the command line for the typed methods, so that both interfaces behave the same, using
 * git's machine-readable formats. A failure is the `GitError` that the command line would print.
 */

import { type CliCall, runCommand } from "../cli/run-cli.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { decode } from "../text/bytes.ts";

export interface Answer {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  /** stdout as text. */
  readonly text: string;
  readonly stderr: string;
}

export interface RunOptions extends Pick<CliCall, "stdin" | "onStderr" | "signal"> {
  /** Exit codes that are results; others are errors. Default 0 alone. */
  readonly expected?: readonly number[];
}

export interface Engine {
  run(argv: readonly (string | false | undefined)[], options?: RunOptions): Promise<Answer>;
}

export function createEngine(host: GitHost, cwd: string, env: Readonly<Record<string, string>>): Engine {
  return {
    async run(argv, { expected = [0], ...options } = {}) {
      const words = argv.filter((word): word is string => typeof word === "string");
      const { exitCode, stdout, stderr, error } = await runCommand(host, { argv: words, cwd, env, ...options });
      const answer: Answer = { exitCode, stdout, text: decode(stdout), stderr: decode(stderr) };
      if (expected.includes(exitCode)) return answer;
      throw error ?? refusal(words[0] ?? "", answer);
    },
  };
}

function refusal(command: string, { exitCode, text, stderr }: Answer): GitError {
  const reported = (stderr || text).trimEnd();
  const [, prefix, message] = /^(fatal|error): ([\s\S]*)$/.exec(reported) ?? [];
  return new GitError(exitCode === 1 ? "ECONFLICT" : "ESTATE", message ?? (reported || `git ${command} failed`), {
    exitCode,
    prefix: prefix === "error" ? "error" : "fatal",
  });
}

/** `--name=value`, if there is a value. */
export function option(name: string, value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : `${name}=${value}`;
}

export function flag(name: string, on: boolean | undefined): string | undefined {
  return on ? name : undefined;
}

/** Paths are literal: no magic, no globs. */
export function paths(input: readonly string[] | undefined): string[] {
  return input === undefined ? [] : ["--", ...input];
}

/** Records that end with NUL. */
export function records(text: string): string[] {
  const parts = text.split("\0");
  if (parts.at(-1) === "") parts.pop();
  return parts;
}

/** A revision that begins with a dash would be taken for an option. */
export function refuseOption(revision: string): void {
  if (revision.startsWith("-")) throw new GitError("EINVAL", `bad revision '${revision}'`);
}
