/** `exec`, `exec_output` and `exec_kill`: commands in the workspace's shell, checked, with a timeout and an output budget. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import type { ToolContext, ToolHost } from "../definition/tool-context.ts";
import type { ToolOutput } from "../definition/tool-result.ts";
import type { ToolExecHandle, ToolExecResult, ToolShell } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import { headAndTail } from "../format/cut-text.ts";
import { checkCommand } from "./exec/allowed-commands.ts";
import { filterEnvironment } from "./exec/environment.ts";

const schema = z.strictObject({
  command: z.string().optional().describe("Run through a shell"),
  argv: z.array(z.string()).min(1).optional().describe("Instead, without a shell"),
  cwd: z.string().min(1).optional(),
  timeoutMs: z.number().int().min(0).optional(),
  description: z.string().optional(),
  background: z.boolean().optional().describe("Return an id for exec_output"),
  combined: z.boolean().optional(),
});
type ExecInput = z.output<typeof schema>;

const annotations = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
  untrusted: true,
} as const;

/** With `writable` the host must set `unconfined`, because a container does not enforce `writable`. */
function hasShell({ workspace, writable, exec }: ToolHost): boolean {
  if (workspace?.shell === undefined || workspace.features?.shell === false) return false;
  return writable === undefined || exec.unconfined === true;
}

export const execTool = defineTool({
  name: "exec",
  group: "shell",
  description: "Run a command. Long output keeps head and tail; outputFile has all.",
  guidance: "give a description; check exitCode; read outputFile or use exec_output for more output.",
  annotations,
  schema,
  available: hasShell,
  handler: exec,
});

async function exec(input: ExecInput, ctx: ToolContext): Promise<ToolOutput> {
  const command = commandOf(input);
  checkCommand(command, ctx.host.exec.allowedCommands);
  const cwd = await ctx.paths.toRead(input.cwd ?? ctx.host.exec.defaultCwd ?? ctx.paths.cwd);
  const handle = await shellOf(ctx).exec(command, {
    cwd,
    env: filterEnvironment({}, ctx.host.exec.env),
    encoding: "utf8",
    timeoutMs: timeoutOf(input, ctx),
    ...(ctx.signal === undefined || input.background ? {} : { signal: ctx.signal }),
  });
  if (input.background) {
    return { structured: { id: handle.id, state: "running", ranOn: handle.ranOn, ...proposalNote(ctx) } };
  }
  const result = await handle.result();
  const structured = { ...shown(result, ctx, input.combined ?? false), ...proposalNote(ctx) };
  const failed = result.state !== "exited" || result.exitCode !== 0;
  return {
    structured,
    ...(input.combined ? { text: combinedText(structured) } : {}),
    ...(failed ? { isError: true as const } : {}),
  };
}

function commandOf({ command, argv }: ExecInput): string | string[] {
  if ((command === undefined) === (argv === undefined))
    throw new ToolError("INVALID_INPUT", "Give command, or argv, and not both.", { field: "command" });
  if (command !== undefined && command.trim() === "")
    throw new ToolError("INVALID_INPUT", "command is empty.", { field: "command" });
  return command ?? (argv as string[]);
}

/** The call's timeout, within the host's limit; 0, no timeout, only if the host has none either. */
function timeoutOf({ timeoutMs }: ExecInput, ctx: ToolContext): number {
  const max = maxTimeout(ctx);
  const usual = ctx.host.exec.timeoutMs ?? ctx.limits.execTimeoutMs;
  if (usual === 0 && ctx.host.exec.maxTimeoutMs === undefined && !timeoutMs) return 0;
  return Math.min(timeoutMs === undefined ? usual || max : timeoutMs || max, max);
}

/** The maximum run time of one call: the host's setting, for every verb and whatever the model requests. */
export function maxTimeout({ host: { exec }, limits }: ToolContext): number {
  return exec.maxTimeoutMs ?? (exec.timeoutMs || limits.execMaxTimeoutMs);
}

function shown(result: ToolExecResult, { limits, paths }: ToolContext, combined: boolean) {
  const stdout = headAndTail(combined ? joined(result) : result.stdout, limits.stdoutBytes);
  const stderr = combined ? { text: "", truncated: false } : headAndTail(result.stderr, limits.stderrBytes);
  const changed = result.changed?.filter((path) => !paths.isDenied(path));
  return {
    exitCode: result.exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: result.truncated || stdout.truncated || stderr.truncated,
    state: result.state,
    ranOn: result.ranOn,
    ...(changed === undefined
      ? {}
      : { changed: changed.slice(0, 200), ...(changed.length > 200 ? { changedCount: changed.length } : {}) }),
    ...(result.output === null ? {} : { outputFile: result.output.path }),
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    id: result.id,
  };
}

function joined({ stdout, stderr }: ToolExecResult): string {
  return stdout !== "" && stderr !== "" && !stdout.endsWith("\n") ? `${stdout}\n${stderr}` : stdout + stderr;
}

function combinedText({ stdout, exitCode, state }: { stdout: string; exitCode: number | null; state: string }): string {
  if (state === "exited" && exitCode === 0) return stdout;
  return `${stdout}${stdout === "" || stdout.endsWith("\n") ? "" : "\n"}[${state === "exited" ? `exit code ${exitCode}` : `${state}, exit code ${exitCode}`}]`;
}

function proposalNote(ctx: ToolContext): Record<string, unknown> {
  if (!ctx.files.proposing) return {};
  return { note: "Commands see the workspace without the queued proposals." };
}

const outputSchema = z.strictObject({
  id: z.string().min(1),
  since: z.number().int().min(0).optional().describe("seq of the last event seen"),
});

export const execOutputTool = defineTool({
  name: "exec_output",
  group: "shell",
  description: "What a background command printed after since, and whether it still runs.",
  annotations: { ...annotations, readOnly: true, destructive: false, idempotent: true },
  schema: outputSchema,
  available: hasShell,
  handler: execOutput,
});

/** How long to wait for the next event before returning the events so far. */
const IDLE_MS = 50;

async function execOutput({ id, since = 0 }: z.output<typeof outputSchema>, ctx: ToolContext): Promise<ToolOutput> {
  const handle = await startedCommand(ctx, id, { encoding: "utf8", resume: since });
  let [stdout, stderr, seq] = ["", "", since];
  let state: Record<string, unknown> = { state: "running" };
  let more = false;
  for await (const event of untilIdle(handle)) {
    if (stdout.length + stderr.length >= ctx.limits.stdoutBytes) {
      more = true;
      break;
    }
    seq = event.seq;
    if (event.name === "exit") state = { state: event.value.state, exitCode: event.value.exitCode };
    else if (event.name === "stdout") stdout += event.value;
    else stderr += event.value;
  }
  const [out, err] = [headAndTail(stdout, ctx.limits.stdoutBytes), headAndTail(stderr, ctx.limits.stderrBytes)];
  return {
    structured: {
      id,
      ...state,
      stdout: out.text,
      stderr: err.text,
      truncated: out.truncated || err.truncated,
      since: seq,
      more,
    },
  };
}

async function* untilIdle(handle: ToolExecHandle) {
  const events = handle[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orIdle(events.next());
      if (next === null || next.done) return;
      yield next.value;
      if (next.value.name === "exit") return;
    }
  } finally {
    // Not awaited: returning an iterator that waits for its next event would wait with it.
    void events.return?.();
  }
}

/** Microtask turns in which an available event arrives without a timer. */
const QUICK_TURNS = 30;

/** Null: no event arrived. */
async function orIdle<T>(event: Promise<T>): Promise<T | null> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  event.then(settle, settle);
  for (let turn = 0; turn < QUICK_TURNS && !settled; turn++) await null;
  if (settled) return event;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const idle = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), IDLE_MS);
  });
  try {
    return await Promise.race([event, idle]);
  } finally {
    clearTimeout(timer);
  }
}

const killSchema = z.strictObject({
  id: z.string().min(1),
  signal: z.enum(["SIGTERM", "SIGKILL", "SIGINT"]).optional(),
});

export const execKillTool = defineTool({
  name: "exec_kill",
  group: "shell",
  description: "Stop a background command.",
  annotations: { readOnly: false, destructive: true, idempotent: true },
  schema: killSchema,
  available: hasShell,
  handler: async ({ id, signal = "SIGTERM" }, ctx) => {
    const handle = await startedCommand(ctx, id, { encoding: "utf8", resume: "tail" });
    await handle.kill(signal);
    return { structured: { id, killed: true, signal } };
  },
});

/** Under this call's name, under which the command's changes are logged. */
function shellOf(ctx: ToolContext): ToolShell {
  return requireShell(ctx.view("shell").shell);
}

/** A command of this actor: a restricted view finds no other. Its changes stay under the call that started it. */
async function startedCommand(
  ctx: ToolContext,
  id: string,
  options: Parameters<ToolShell["get"]>[1],
): Promise<ToolExecHandle> {
  try {
    return await shellOf(ctx).get(id, options);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ENOENT") throw error;
    const message = `There is no command ${JSON.stringify(id.slice(0, 100))}. Use the id that exec answered with.`;
    throw new ToolError("ENOENT", message, { field: "id" }, { cause: error });
  }
}

function requireShell(shell: ToolShell | undefined): ToolShell {
  if (shell === undefined) throw new ToolError("UNAVAILABLE", "This workspace has no shell.");
  return shell;
}
