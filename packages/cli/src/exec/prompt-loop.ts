/**
 * `wsx exec` without a command, on a terminal: a prompt. Each line is its own execution; only the directory carries over, because a
 * workspace has no persistent shell process. `cd` therefore runs a shell to resolve its target.
 */
import type { ExecDetail, ExecStarted } from "@workspace/worker/api";
import { ROOT, shownPath } from "../client/remote-path.ts";
import type { CommandContext } from "../command.ts";
import { formatError } from "../format/format-error.ts";
import { followExecution } from "./follow-execution.ts";
import { runExecution } from "./run-execution.ts";

export async function promptLoop(
  context: CommandContext,
  start: { cwd: string; env: Record<string, string> },
): Promise<number> {
  const { io, settings } = context;
  let { cwd } = start;
  let exitCode = 0;
  using lines = io.lines();
  for (;;) {
    const line = await lines.next(`${settings.workspace}:${cwd === ROOT ? "~" : shownPath(cwd)}$ `);
    if (line === null) return exitCode;
    const leaving = /^\s*exit(?:\s+(\d{1,3}))?\s*$/.exec(line);
    if (leaving !== null) return leaving[1] === undefined ? exitCode : Number(leaving[1]) & 255;
    if (line.trim() === "") continue;
    try {
      const [code, moved] = await runLine(context, line, { cwd, env: start.env });
      exitCode = code;
      cwd = moved;
    } catch (error) {
      const reported = formatError(error, { json: false });
      exitCode = reported.exitCode;
      await io.err(reported.text);
    }
  }
}

async function runLine(
  context: CommandContext,
  line: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<[number, string]> {
  const isCd = /^\s*cd(?:\s|$)/.test(line);
  const command = isCd ? `${line.trim() === "cd" ? `cd ${ROOT}` : line} && pwd` : line;
  const { id } = await context.api.json<ExecStarted>("exec", { method: "POST", json: { command, cwd, env } });
  if (!isCd) return [await runExecution(context, { id }), cwd];
  for await (const _ of followExecution(context.api, id)) {
    // Only its end matters.
  }
  const { exitCode, stdout = "", stderr = "" } = await context.api.json<ExecDetail>(`exec/${encodeURIComponent(id)}`);
  await context.io.err(stderr);
  if (exitCode !== 0) {
    await context.io.out(stdout);
    return [exitCode ?? 1, cwd];
  }
  // The last line is the output of our own query; the command printed the lines before it.
  const printed = stdout.replace(/[^\n]*\n?$/, "");
  await context.io.out(printed);
  return [0, stdout.slice(printed.length).trimEnd()];
}
