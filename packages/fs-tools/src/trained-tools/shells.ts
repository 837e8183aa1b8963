/** `bash` for Anthropic's models, and `shell` for OpenAI's and the sandbox family: both use `exec`. */
import * as z from "zod";
import type { ToolContext } from "../definition/tool-context.ts";
import type { ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { execTool, maxTimeout } from "../tools/exec.ts";
import type { TrainedTool } from "./trained-tool.ts";

const annotations = {
  readOnly: false,
  destructive: true,
  idempotent: false,
  openWorld: true,
  untrusted: true,
} as const;
/** The Go family's default: two minutes. */
const BASH_TIMEOUT_MS = 120_000;
/** The sandbox family's default: half a minute. */
const SHELL_TIMEOUT_MS = 30_000;

const bashSchema = z.strictObject({
  command: z.string().optional(),
  description: z.string().optional(),
  restart: z.boolean().optional(),
  timeoutMs: z.number().int().min(0).optional(),
});

export const bash: TrainedTool = {
  name: "bash",
  group: "shell",
  description: "Run a command; stdout and stderr come together.",
  annotations,
  needs: ["exec"],
  schema: bashSchema,
  handler: async (
    { restart, command, ...rest }: z.output<typeof bashSchema>,
    ctx: ToolContext,
  ): Promise<ToolOutput> => {
    // Every command has its own shell: there is nothing to restart.
    if (restart && command === undefined) return { structured: { restarted: true }, text: "tool has been restarted." };
    return execTool.handler(
      { timeoutMs: BASH_TIMEOUT_MS, ...rest, ...(command === undefined ? {} : { command }), combined: true },
      ctx,
    );
  },
};

const action = {
  commands: z.array(z.string()).min(1).max(50).optional(),
  /** Of the older `local_shell`: one program with its arguments. */
  command: z.union([z.string(), z.array(z.string())]).optional(),
  working_directory: z.string().nullable().optional(),
  timeout_ms: z.number().int().min(0).nullable().optional(),
  max_output_length: z.number().int().min(1).nullable().optional(),
};
const shellSchema = z.strictObject({
  working_dir: z.string().optional(),
  workdir: z.string().optional(),
  action: z.looseObject(action).optional(),
  ...action,
});
type ShellInput = z.output<typeof shellSchema>;

export const shell: TrainedTool = {
  name: "shell",
  group: "shell",
  description: "Run commands.",
  annotations,
  needs: ["exec"],
  schema: shellSchema,
  handler: (input: ShellInput, ctx: ToolContext) => {
    const commands = input.action?.commands ?? input.commands;
    const whole = { ...input, ...input.action };
    return commands === undefined ? runOne(whole, ctx) : runAll(commands, whole, ctx);
  },
};

async function runOne(
  { command, working_dir, workdir, working_directory, timeout_ms }: ShellInput,
  ctx: ToolContext,
): Promise<ToolOutput> {
  if (command === undefined)
    throw new ToolError("INVALID_INPUT", "The field command is missing.", { field: "command" });
  const cwd = working_dir ?? workdir ?? working_directory ?? undefined;
  const what = typeof command === "string" ? { command } : { argv: command };
  const output = await execTool.handler(
    { ...what, ...(cwd === undefined ? {} : { cwd }), timeoutMs: timeout_ms ?? SHELL_TIMEOUT_MS },
    ctx,
  );
  return { ...output, structured: { ...output.structured, exit_code: output.structured.exitCode } };
}

/** OpenAI's format: one outcome per command. All of them together share the timeout of one. */
async function runAll(
  commands: readonly string[],
  { timeout_ms, max_output_length }: ShellInput,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const output: Record<string, unknown>[] = [];
  const end = ctx.host.now() + maxTimeout(ctx);
  for (const command of commands) {
    const left = end - ctx.host.now();
    if (left <= 0) {
      output.push({ stdout: "", stderr: "", outcome: { type: "timeout" } });
      continue;
    }
    const timeoutMs = Math.min(timeout_ms || SHELL_TIMEOUT_MS, left);
    const { structured } = await execTool.handler({ command, timeoutMs }, ctx);
    const cut = (text: unknown) => String(text).slice(0, max_output_length ?? undefined);
    const outcome =
      structured.state === "timedout" ? { type: "timeout" } : { type: "exit", exit_code: structured.exitCode };
    output.push({ stdout: cut(structured.stdout), stderr: cut(structured.stderr), outcome });
  }
  return { structured: { output, ...(max_output_length ? { max_output_length } : {}) } };
}
