/**
 * Schemas of the `exec` API, which runs commands and streams their output. Events are numbered by `seq` from 1; a client that
 * reconnects passes its last seq as `after`. As SSE: `id` is the seq, `event` the name, `data` the event as JSON. As WebSocket: the
 * event as JSON text.
 */
import { z } from "zod";
import { countText } from "./path.ts";
import { bodyOptions, queryOptions } from "./verb-options.ts";

const signalName = z.enum(["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"]);

export const execBody = z
  .strictObject({
    /** Runs through a shell. */
    command: z.string().min(1).max(200_000).optional(),
    /** Runs without a shell. */
    argv: z.array(z.string().max(200_000)).min(1).max(10_000).optional(),
    ...bodyOptions("shell.exec", ["encoding"]),
    /** A string is the whole standard input; `true` keeps it open for `exec/:id/stdin`. */
    stdin: z.union([z.string(), z.boolean()]).optional(),
  })
  .refine((body) => (body.command === undefined) !== (body.argv === undefined), "either command or argv");
export type ExecBody = z.input<typeof execBody>;

export const execStarted = z.object({ id: z.string(), callId: z.string() });
export type ExecStarted = z.infer<typeof execStarted>;

const execState = z.enum(["running", "exited", "killed", "timedout", "lost"]);
export const execRecord = z.looseObject({
  id: z.string(),
  callId: z.string(),
  command: z.union([z.string(), z.array(z.string())]),
  cwd: z.string(),
  state: execState,
  /** Milliseconds since 1970. */
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  exitCode: z.number().nullable(),
  signal: z.string().optional(),
  reason: z.string().optional(),
  ranOn: z.enum(["worker", "container"]),
  actor: z.string().optional(),
  stdoutBytes: z.number(),
  stderrBytes: z.number(),
  /** The file with the full output; null while the output is small. */
  output: z.object({ path: z.string(), bytes: z.number(), complete: z.boolean() }).nullable(),
});
export type ExecRecord = z.infer<typeof execRecord>;
/** Includes the result after the command has ended. Long output is truncated to its head and tail, with `truncated: true`. */
export type ExecDetail = ExecRecord & {
  stdout?: string;
  stderr?: string;
  truncated?: boolean;
  sync?: unknown;
  /** Changed paths, sorted; absent when the log no longer covers them. */
  changed?: readonly string[];
};
export const execList = z.object({ executions: z.array(execRecord) });
export type ExecList = z.infer<typeof execList>;

/** `value` of output is text, or `{ base64 }` for bytes that are not UTF-8. */
export type ExecEvent =
  | { seq: number; name: "stdout" | "stderr"; value: string | { base64: string } }
  | {
      seq: number;
      name: "exit";
      value: {
        state: "exited" | "killed" | "timedout" | "lost";
        exitCode: number | null;
        signal?: string;
        reason?: string;
      };
    };

export const execEventsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
});
export const execListQuery = z.strictObject({ ...queryOptions("shell.list"), limit: countText(1000).optional() });
export const execStdinQuery = z.strictObject({ end: z.enum(["0", "1"]).optional() });
export const execKillBody = z.strictObject({ signal: signalName.optional() });
export type ExecKillBody = z.infer<typeof execKillBody>;
