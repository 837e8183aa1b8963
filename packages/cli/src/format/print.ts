/** The two ways a command answers: one JSON value (or one per line, for what streams), or text. */
import type { CommandContext } from "../command.ts";
import { escapeTerminal } from "./escape-terminal.ts";

/** Data as JSON with --json, else the text made of it. Text on a terminal has its control characters shown. */
export async function print({ io, json }: CommandContext, data: unknown, text: () => string): Promise<void> {
  if (json) return io.out(`${JSON.stringify(data)}\n`);
  const shown = text();
  await io.out(io.terminal.stdout ? escapeTerminal(shown) : shown);
}

/** A remark for people, on stderr: not with --json or --quiet. */
export async function note({ io, json, quiet }: CommandContext, text: string): Promise<void> {
  if (!json && !quiet) await io.err(`${escapeTerminal(text)}\n`);
}
