/** `wsx watch`: prints changes as they happen, with their actors; a reconnect resumes after the last cursor. */
import type { ApiChange, LiveMessage } from "@workspace/worker/api";
import { CliError, UNREACHABLE } from "../cli-error.ts";
import { remotePath, shownPath } from "../client/remote-path.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { escapeTerminal } from "../format/escape-terminal.ts";
import { note } from "../format/print.ts";
import { timeText } from "../format/sizes.ts";

const BACKOFF_MS = [100, 500, 1000, 2000, 4000, 8000, 8000];

export const watch = defineCommand({
  name: "watch",
  summary: "Show changes as they happen",
  flags: {
    since: { long: "--since", value: "string", arg: "<cursor>", help: "Start with the changes after this cursor" },
    count: { long: "--count", short: "-n", value: "number", arg: "<n>", help: "Stop after this many changes" },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true }],
  notes: "With --json, each line is a change with the cursor to continue from. Ctrl-C stops it.",
  examples: ["wsx watch", "wsx watch src --json | jq -r .path"],
  async run(context, { flags, operands: [given] }) {
    const path = given === undefined ? undefined : remotePath(given);
    const left = { changes: flags.count ?? Number.POSITIVE_INFINITY };
    let since = flags.since;
    let lost = 0;
    for (;;) {
      try {
        for await (const message of connection(context, { since, path })) {
          if (since !== message.cursor) lost = 0;
          since = message.cursor;
          for (const change of message.changes) {
            await show(context, change);
            if (--left.changes <= 0) return 0;
          }
        }
      } catch (error) {
        if (!(error instanceof CliError && error.code === UNREACHABLE) || lost >= BACKOFF_MS.length) throw error;
      }
      if (lost >= BACKOFF_MS.length) throw new CliError(UNREACHABLE, "the live feed ends again and again");
      if (lost > 0) await note(context, "wsx: the connection broke; trying again");
      await new Promise((wake) => setTimeout(wake, BACKOFF_MS[lost++]));
    }
  },
});

async function* connection(
  { api, io }: CommandContext,
  query: { since?: string; path?: string },
): AsyncGenerator<Exclude<LiveMessage, { error: unknown }>> {
  const address = api.url("changes/live", query).replace(/^http/, "ws");
  const socket = await io.openWebSocket(address, api.headers());
  try {
    for await (const text of socket) {
      const message = JSON.parse(text) as LiveMessage;
      if ("error" in message) throw new CliError(message.error.code, message.error.message, message.error.hint);
      yield message;
    }
  } finally {
    socket.close();
  }
}

async function show({ io, json }: CommandContext, change: ApiChange): Promise<void> {
  if (json) return io.out(`${JSON.stringify(change)}\n`);
  const from = change.from === undefined ? "" : `${shownPath(change.from)} -> `;
  const who = change.actor === undefined ? "" : `  (${change.actor})`;
  const line = `${timeText(change.time)}  ${change.op.padEnd(6)}  ${from}${shownPath(change.path)}${change.type === "directory" ? "/" : ""}${who}\n`;
  await io.out(io.terminal.stdout ? escapeTerminal(line) : line);
}
