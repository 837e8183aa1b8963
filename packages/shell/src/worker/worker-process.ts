/** One command in just-bash, as a process: it queues events in order, ends at its timeout, and handles signals. */
import { ShellError } from "../errors.ts";
import type { BackendProcess, ExecRequest, ProcessEvent, ProcessExit, SignalName } from "../exec-backend.ts";
import { EventQueue } from "./event-queue.ts";
import { runBash } from "./run-bash.ts";
import { type WorkerHost, workerShellLimits } from "./worker-host.ts";

const SIGNAL_NUMBERS: Record<SignalName, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGUSR2: 12,
  SIGTERM: 15,
};

const PIECE_BYTES = 128 * 1024;

export class WorkerProcess implements BackendProcess {
  readonly over: Promise<void>;
  readonly #queue = new EventQueue();
  readonly #stop = new AbortController();
  #end: ProcessExit | null = null;

  constructor(host: WorkerHost, request: ExecRequest, stdin: Uint8Array) {
    const { timeoutMs: defaultMs } = { ...workerShellLimits, ...host.limits };
    const timeoutMs = request.timeoutMs === 0 ? defaultMs : request.timeoutMs;
    const timer = setTimeout(() => this.#stopWith({ state: "timedout", exitCode: 124 }), timeoutMs);
    const run = runBash(host, request, {
      stdin,
      signal: this.#stop.signal,
      print: (name, value) => this.#print(name, value),
    });
    this.over = run
      .then(
        (exitCode): ProcessExit => ({ state: "exited", exitCode }),
        (error): ProcessExit => this.#broke(error),
      )
      .then((exit) => {
        clearTimeout(timer);
        this.#queue.push({ seq: this.#queue.next, name: "exit", value: this.#end ?? exit });
      });
  }

  get events(): AsyncIterable<ProcessEvent> {
    return this.#queue.after(0);
  }

  /** The same process for a follower that has seen its events up to `seq`. */
  from(seq: number): BackendProcess {
    return {
      events: this.#queue.after(seq),
      kill: (signal) => this.kill(signal),
      write: (input) => this.write(input),
      closeStdin: () => this.closeStdin(),
    };
  }

  /** This shell has no signal handlers: every signal ends it. */
  async kill(signal: SignalName): Promise<void> {
    const number = SIGNAL_NUMBERS[signal];
    if (number === undefined) throw new ShellError("EINVAL", `there is no signal ${JSON.stringify(signal)}`);
    this.#stopWith({ state: "killed", exitCode: 128 + number, signal });
  }

  async write(_input: Uint8Array): Promise<void> {
    throw new ShellError(
      "EPIPE",
      "the Worker's shell takes its whole standard input when it starts: pass it as `stdin`",
    );
  }

  async closeStdin(): Promise<void> {}

  #stopWith(end: ProcessExit): void {
    if (this.#end !== null) return;
    this.#end = end;
    this.#stop.abort();
  }

  /** Output after a kill is discarded. */
  #print(name: "stdout" | "stderr", value: Uint8Array): void {
    if (this.#end !== null) return;
    // A statement may print megabytes at once: an event is never larger than a page.
    for (let at = 0; at < value.length; at += PIECE_BYTES) {
      this.#queue.push({ seq: this.#queue.next, name, value: new Uint8Array(value.subarray(at, at + PIECE_BYTES)) });
    }
  }

  #broke(error: unknown): ProcessExit {
    if (this.#end !== null) return this.#end;
    const reason = error instanceof Error ? error.message : String(error);
    this.#print("stderr", new TextEncoder().encode(`bash: the Worker's shell failed: ${reason}\n`));
    return { state: "exited", exitCode: 126, reason };
  }
}
