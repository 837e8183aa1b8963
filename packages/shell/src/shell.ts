/**
 * `workspace.shell`, as types only: run a command, follow it, find it again. Every execution is a record in the workspace's
 * database: it outlives the caller, the connection and the object's memory. A result reports only what was observed.
 */
import type { execOptions, getOptions, listOptions, OptionsOf } from "@workspace/protocol";
import type { BackendName, SignalName, SyncReport } from "./exec-backend.ts";

export type ExecState = "running" | "exited" | "killed" | "timedout" | "lost";

/** A string runs through a shell; an argv never does. */
export type Command = string | readonly string[];

/** A template value: quoted as one word, an array as one word each. */
export type TemplateValue = string | number | boolean | readonly (string | number | boolean)[];

export type ExecEncoding = "utf8" | "bytes";

export interface ExecOptions<Encoding extends ExecEncoding = ExecEncoding>
  extends Omit<OptionsOf<typeof execOptions>, "encoding"> {
  /** "utf8" gives strings, with characters that were split between chunks joined; default "bytes". */
  encoding?: Encoding;
}

export interface GetOptions<Encoding extends ExecEncoding = ExecEncoding>
  extends Omit<OptionsOf<typeof getOptions>, "encoding"> {
  encoding?: Encoding;
}

export interface ListOptions extends OptionsOf<typeof listOptions> {}

export type Output<Encoding extends ExecEncoding> = Encoding extends "utf8" ? string : Uint8Array;

/** `seq` increases with every event of an execution; resuming after one yields exactly those that follow it. */
export type ExecEvent<Encoding extends ExecEncoding = ExecEncoding> =
  | {
      readonly id: string;
      readonly seq: number;
      readonly name: "stdout" | "stderr";
      readonly value: Output<Encoding>;
    }
  | { readonly id: string; readonly seq: number; readonly name: "exit"; readonly value: ExecExit };

export interface ExecExit {
  readonly state: Exclude<ExecState, "running">;
  /** 124 on a timeout, 128 + n on a signal, null when lost. */
  readonly exitCode: number | null;
  readonly signal?: SignalName;
  /** Human-readable reason why it was lost or could not be started. */
  readonly reason?: string;
}

export interface ExecResult<Encoding extends ExecEncoding = ExecEncoding> extends ExecExit {
  readonly id: string;
  /** Complete, or head and tail if `truncated`: text then has a line between them that reports how much is omitted. */
  readonly stdout: Output<Encoding>;
  readonly stderr: Output<Encoding>;
  readonly truncated: boolean;
  /** The file with stdout and stderr interleaved, for reading and grepping; null while the output is small. */
  readonly output: OutputFile | null;
  readonly ranOn: BackendName;
  readonly sync?: SyncReport;
  /** The call id of the command's changes in the log. */
  readonly callId: string;
  /** Paths that the command changed, by their current names, sorted; absent if the log no longer covers them. */
  readonly changed?: readonly string[];
}

/** Inside the workspace, in a directory that git and sync ignore. */
export interface OutputFile {
  readonly path: string;
  /** Size of the file; less than the printed output if that was over the limit. */
  readonly bytes: number;
  readonly complete: boolean;
}

/**
 * A running or finished execution. Iterating yields its events, each once, and ends after `exit`; disposing releases the handle
 * without stopping the process.
 */
export interface ExecHandle<Encoding extends ExecEncoding = ExecEncoding>
  extends AsyncIterable<ExecEvent<Encoding>>,
    AsyncDisposable {
  readonly id: string;
  readonly callId: string;
  readonly ranOn: BackendName;
  /** Waits for the end. Every outcome of the process is in the result; an unknown outcome is `lost`. */
  result(): Promise<ExecResult<Encoding>>;
  /** Default SIGTERM. No effect after the end. */
  kill(signal?: SignalName): Promise<void>;
  /** More standard input; EPIPE if the process accepts none. */
  write(input: string | Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
}

export interface ExecRecord {
  readonly id: string;
  readonly command: Command;
  readonly cwd: string;
  readonly state: ExecState;
  readonly exitCode: number | null;
  readonly signal?: SignalName;
  readonly reason?: string;
  readonly ranOn: BackendName;
  readonly actor?: string;
  readonly callId: string;
  readonly startedMs: number;
  readonly endedMs: number | null;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly output: OutputFile | null;
}

export interface ExposedPort {
  readonly port: number;
  readonly url: string;
}

export interface Shell {
  exec(command: Command, options: ExecOptions<"utf8"> & { encoding: "utf8" }): Promise<ExecHandle<"utf8">>;
  exec(command: Command, options?: ExecOptions<"bytes">): Promise<ExecHandle<"bytes">>;
  exec(command: Command, options?: ExecOptions): Promise<ExecHandle>;
  /** Every value is quoted; the output is text. */
  exec(script: TemplateStringsArray, ...values: TemplateValue[]): Promise<ExecHandle<"utf8">>;
  /** Finds an execution again; ENOENT if there is no record of it. */
  get(id: string, options: GetOptions<"utf8"> & { encoding: "utf8" }): Promise<ExecHandle<"utf8">>;
  get(id: string, options?: GetOptions<"bytes">): Promise<ExecHandle<"bytes">>;
  get(id: string, options?: GetOptions): Promise<ExecHandle>;
  list(options?: ListOptions): Promise<ExecRecord[]>;
  /** Deletes a finished execution and its output; EBUSY while it runs, ENOENT if there is none. */
  remove(id: string): Promise<void>;
  /** Starts the container, if there is one, so that the first command need not wait. */
  ready(): Promise<void>;
  /** A URL for the container's port; ENOSYS without a container. */
  exposePort(port: number): Promise<ExposedPort>;
  unexposePort(port: number): Promise<void>;
  ports(): Promise<ExposedPort[]>;
}
