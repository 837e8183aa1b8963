/**
 * The command allow-list. An entry is a prefix of words, "git" or "go test *": every simple command of a call must begin with one,
 * word by word and exactly. Undefined allows everything, an empty list nothing.
 */
import { ToolError } from "../../errors.ts";
import { checkBuiltin } from "./check-builtin.ts";
import { parseCommands, type Word } from "./parse-command.ts";

/**
 * The tool::* family's list. It limits accidents, not intent: node, npm, npx, bun, deno, python, pip, git, find, env, awk, sed, tar, make,
 * cmake, cargo, rustc, go, curl and wget can each be made to run any other program or to write any file.
 */
export const SHELL_COMMAND_ALLOWLIST: readonly string[] = (
  "git node npm npx bun deno python3 python pip ls cat grep find echo mkdir touch cp mv head tail wc sort uniq diff curl wget tar zip " +
  "unzip jq sed awk which env date cargo rustc go make cmake"
).split(" ");

export function checkCommand(command: string | readonly string[], allowed: readonly string[] | undefined): void {
  if (typeof command !== "string") checkArgv(command);
  if (allowed === undefined) return;
  const entries = allowed.map((entry) =>
    entry
      .trim()
      .split(/\s+/)
      .filter((word) => word !== ""),
  );
  const commands: readonly (readonly Word[])[] =
    typeof command === "string"
      ? parseCommands(command)
      : [command.map((text) => ({ text, literal: true, single: true }))];
  for (const words of commands) {
    if (entries.some((entry) => begins(words, entry))) {
      // Also for argv: the Worker runs a shell builtin such as `test` as a builtin even without a script.
      checkBuiltin(words);
      continue;
    }
    const shown = words
      .slice(0, 3)
      .map(({ text }) => text)
      .join(" ")
      .slice(0, 100);
    const list =
      allowed.length === 0 ? "no command is allowed here" : `allowed are: ${allowed.slice(0, 60).join(", ")}`;
    throw new ToolError("COMMAND_REFUSED", `${JSON.stringify(shown)} was not run: ${list}.`, { command: shown });
  }
}

/** argv runs without a shell: it must be a bare name, looked up on PATH, not a path to another program. */
function checkArgv(argv: readonly string[]): void {
  const name = argv[0] ?? "";
  if (name === "" || name.includes("/") || name.startsWith("-") || /[\0\s]/.test(name))
    throw new ToolError(
      "COMMAND_REFUSED",
      `argv[0] must be the bare name of a program, not ${JSON.stringify(name.slice(0, 100))}.`,
      { field: "argv" },
    );
  if (argv.some((word) => word.includes("\0")))
    throw new ToolError("INVALID_INPUT", "An argument cannot hold a NUL character.", { field: "argv" });
}

function begins(words: readonly Word[], entry: readonly string[]): boolean {
  const fixed = entry.at(-1) === "*" ? entry.slice(0, -1) : entry;
  if (fixed.length === 0) return entry.length > 0;
  return fixed.every((text, i) => words[i]?.literal === true && words[i]?.text === text);
}
