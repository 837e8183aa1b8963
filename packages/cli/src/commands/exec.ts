/** `wsx exec`: runs a command in the workspace as if it ran here: streaming, with input, signals and its own exit code. */
import type { ExecBody, ExecList, ExecStarted } from "@workspace/worker/api";
import { remotePath } from "../client/remote-path.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { promptLoop } from "../exec/prompt-loop.ts";
import { COULD_NOT_RUN, runExecution } from "../exec/run-execution.ts";
import { UsageError } from "../flags/usage-error.ts";
import { columns } from "../format/columns.ts";
import { print } from "../format/print.ts";
import { timeText } from "../format/sizes.ts";

export const exec = defineCommand({
  name: "exec",
  summary: "Run a command in the workspace",
  flags: {
    cwd: { long: "--cwd", value: "string", arg: "<path>", help: "Working directory (default: the root)" },
    env: { long: "--env", short: "-e", value: "list", arg: "<name=value>", help: "Set an environment variable" },
    timeout: {
      long: "--timeout",
      short: "-t",
      value: "number",
      arg: "<seconds>",
      help: "Kill the command after this time",
    },
    interactive: {
      long: "--interactive",
      short: "-i",
      value: "none",
      help: "Send what you type to the command; a pipe or file is always sent",
    },
    noStdin: { long: "--no-stdin", short: "-n", value: "none", help: "Send no standard input" },
    detach: { long: "--detach", short: "-d", value: "none", help: "Start the command, print its id and exit" },
    attach: { long: "--attach", value: "string", arg: "<id>", help: "Follow an execution that runs already" },
    kill: { long: "--kill", value: "string", arg: "<id>", help: "Stop an execution" },
    list: { long: "--list", value: "none", help: "List executions" },
    backend: { long: "--backend", value: "string", choices: ["worker", "container"], help: "Where the command runs" },
  },
  operands: [{ name: "command", kind: "text", optional: true, many: true }],
  passThrough: "from-operand",
  errorExitCode: COULD_NOT_RUN,
  notes:
    "One operand runs through a shell; several are a program and its arguments, without a shell. Without a command, on a\nterminal, you get a prompt. Ctrl-C is sent to the command; twice kills it; three times detaches. --json: one event per line.",
  examples: [
    "wsx exec 'ls | wc -l'",
    "wsx exec -e CI=1 --cwd app npm test",
    "wsx exec 'sort -u' < names.txt",
    "wsx exec -d 'npm run dev'",
  ],
  async run(context, { flags, operands }) {
    const chosen = [flags.list, flags.attach !== undefined, flags.kill !== undefined, operands.length > 0].filter(
      Boolean,
    );
    if (chosen.length > 1) throw new UsageError("a command, --attach, --kill and --list exclude each other");
    if (flags.list) return list(context);
    if (flags.kill !== undefined) return kill(context, flags.kill);
    if (flags.attach !== undefined) return runExecution(context, { id: flags.attach });
    const cwd = remotePath(flags.cwd ?? ".");
    const env = environment(flags.env ?? []);
    if (operands.length === 0) {
      if (context.io.terminal.stdin && !context.json && !flags.detach) return promptLoop(context, { cwd, env });
      throw new UsageError("<command> is missing");
    }
    const passesInput =
      !flags.noStdin &&
      !flags.detach &&
      (context.io.terminal.stdin ? flags.interactive === true : context.io.hasInput());
    const body: ExecBody = {
      ...(operands.length === 1 ? { command: operands[0] } : { argv: [...operands] }),
      cwd,
      env,
      ...(flags.timeout === undefined ? {} : { timeoutMs: Math.round(flags.timeout * 1000) }),
      ...(flags.backend === undefined ? {} : { backend: flags.backend as "worker" | "container" }),
      ...(passesInput ? { stdin: true } : {}),
    };
    const started = await context.api.json<ExecStarted>("exec", { method: "POST", json: body });
    if (!flags.detach)
      return runExecution(context, { id: started.id, ...(passesInput ? { input: context.io.stdin() } : {}) });
    await print(context, started, () => `${started.id}\n`);
    return 0;
  },
});

async function list(context: CommandContext): Promise<number> {
  const { executions } = await context.api.json<ExecList>("exec");
  await print(context, executions, () =>
    columns(
      executions.map(({ id, state, exitCode, startedAt, ranOn, command }) => [
        id,
        state === "exited" ? `exit ${exitCode}` : state,
        timeText(startedAt),
        ranOn,
        typeof command === "string" ? (command.split("\n", 1)[0] as string) : command.join(" "),
      ]),
    ),
  );
  return 0;
}

async function kill(context: CommandContext, id: string): Promise<number> {
  await context.api.sendDiscardingBody(`exec/${encodeURIComponent(id)}/kill`, { method: "POST", json: {} });
  await print(context, { id, killed: true }, () => "");
  return 0;
}

function environment(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new UsageError(`--env is name=value, not "${pair}"`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
