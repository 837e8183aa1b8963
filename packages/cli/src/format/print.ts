/** The two output formats of a command: one JSON value (or one per line for a stream), or text. */
import type { CommandContext } from "../command.ts";
import { escapeTerminal } from "./escape-terminal.ts";

/** Prints data as JSON with --json, otherwise as text. On a terminal the text's control characters are escaped. */
export async function print({ io, json }: CommandContext, data: unknown, text: () => string): Promise<void> {
  if (json) return io.out(`${JSON.stringify(data)}\n`);
  const shown = text();
  await io.out(io.terminal.stdout ? escapeTerminal(shown) : shown);
}

/** A note for people, on stderr; suppressed by --json and --quiet. */
export async function note({ io, json, quiet }: CommandContext, text: string): Promise<void> {
  if (!json && !quiet) await io.err(`${escapeTerminal(text)}\n`);
}
