/**
 * Runs one execution in the foreground: its output to ours, our input to it, Ctrl-C as a signal to it (the second one kills it, the
 * third detaches), and its exit code as the result.
 */
import type { ExecEvent, ExecKillBody } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import { outputBytes } from "../client/output-bytes.ts";
import type { CommandContext } from "../command.ts";
import { note } from "../format/print.ts";
import { followExecution } from "./follow-execution.ts";

export const COULD_NOT_RUN = 125;
const INTERRUPTED = 130;

export interface Foreground {
  readonly id: string;
  readonly after?: number;
  /** The standard input to send. */
  readonly input?: AsyncIterable<Uint8Array>;
}

export async function runExecution(context: CommandContext, { id, after, input }: Foreground): Promise<number> {
  const { api, io, json } = context;
  const letGo = new AbortController();
  let interrupts = 0;
  using _ = io.onInterrupt((signal) => {
    interrupts++;
    if (interrupts > 2) return letGo.abort();
    const body: ExecKillBody = { signal: interrupts === 2 ? "SIGKILL" : signal };
    api.sendDiscardingBody(`exec/${encodeURIComponent(id)}/kill`, { method: "POST", json: body }).catch(() => {});
  });
  if (input !== undefined) void feed(context, id, input);
  try {
    for await (const event of followExecution(api, id, {
      after,
      signal: letGo.signal,
      onReconnect: () => void note(context, "wsx: the connection broke; trying again"),
    })) {
      if (json) await io.out(`${JSON.stringify(event)}\n`);
      else if (event.name === "stdout") await io.out(outputBytes(event.value));
      else if (event.name === "stderr") await io.err(outputBytes(event.value));
      if (event.name === "exit") return await exitCodeOf(context, event);
    }
  } catch (error) {
    if (!letGo.signal.aborted) throw error;
    await note(context, `wsx: let go of ${id}, which may still run (wsx exec --attach ${id})`);
    return INTERRUPTED;
  }
  throw new CliError("EPROTO", "the execution's events ended without an exit");
}

/** A command that accepts no (more) input is not our failure: a pipe would not report it either. */
async function feed({ api }: CommandContext, id: string, input: AsyncIterable<Uint8Array>): Promise<void> {
  const route = `exec/${encodeURIComponent(id)}/stdin`;
  try {
    for await (const chunk of input) await api.sendDiscardingBody(route, { method: "POST", body: chunk });
    await api.sendDiscardingBody(route, { method: "POST", query: { end: true }, body: new Uint8Array() });
  } catch {
    // Its events report how it ended.
  }
}

async function exitCodeOf(context: CommandContext, { value }: Extract<ExecEvent, { name: "exit" }>): Promise<number> {
  if (value.state === "lost") throw new CliError("ELOST", value.reason ?? "the command's result is unknown");
  if (value.state === "timedout") await note(context, "wsx: the command took too long and was killed");
  return value.exitCode ?? COULD_NOT_RUN;
}
