/**
 * One execution while this isolate follows it: consumes the backend's events, makes them durable, and wakes its readers. If the
 * events break off, it reattaches at the backend after the last event; if that is impossible, the execution is `lost`.
 */

import { ShellError } from "../errors.ts";
import type { BackendProcess, ExecBackend, ProcessExit, SignalName } from "../exec-backend.ts";
import type { ChangeCursor } from "../host.ts";
import type { ShellLimits } from "../limits.ts";
import type { ExecExit } from "../shell.ts";
import type { ExecStore, StoredExec } from "../store/exec-store.ts";
import type { OutputLog } from "./output-log.ts";

export interface ExecutionParts {
  readonly record: StoredExec;
  readonly log: OutputLog;
  readonly store: ExecStore;
  readonly backend: ExecBackend;
  readonly changes: ChangeCursor;
  readonly limits: ShellLimits;
  readonly now: () => number;
  readonly outputPath: string;
}

export class Execution {
  readonly log: OutputLog;
  readonly #parts: ExecutionParts;
  #record: StoredExec;
  #process: BackendProcess | null = null;
  #wake = Promise.withResolvers<void>();
  #failure: ShellError | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Settles when nothing more will happen here; never rejects. */
  readonly done: Promise<void>;
  readonly #over = Promise.withResolvers<void>();

  constructor(parts: ExecutionParts) {
    this.#parts = parts;
    this.#record = parts.record;
    this.log = parts.log;
    this.done = this.#over.promise;
  }

  get record(): StoredExec {
    return this.#record;
  }

  /** The `exit` event, with the last seq. */
  get exit(): { seq: number; value: ExecExit } | null {
    const { state, exitCode, signal, reason, lastSeq } = this.#record;
    if (state === "running" || lastSeq === undefined) return null;
    return {
      seq: lastSeq,
      value: { state, exitCode, ...(signal && { signal }), ...(reason !== undefined && { reason }) },
    };
  }

  /** Resolves on the next change. Take it before reading the state, so that no change is missed. */
  get nextChange(): Promise<void> {
    return this.#wake.promise;
  }

  /** The reason why it can no longer be followed here, if any. */
  get failure(): ShellError | null {
    return this.#failure;
  }

  /** Takes over the process. Everything that happens to it from here on ends in the record. */
  consume(process: BackendProcess): void {
    this.#process = process;
    this.#pump(process).then(
      (exit) => this.#finish(exit),
      (error) => this.#fail(error),
    );
  }

  async kill(signal: SignalName): Promise<void> {
    if (this.exit === null) await this.#process?.kill(signal);
  }

  async write(input: Uint8Array): Promise<void> {
    await this.#running().write(input);
  }

  async closeStdin(): Promise<void> {
    await this.#running().closeStdin();
  }

  #running(): BackendProcess {
    if (this.exit === null && this.#process !== null) return this.#process;
    throw new ShellError("EPIPE", `execution "${this.#record.id}" has ended`);
  }

  async #pump(first: BackendProcess): Promise<ProcessExit> {
    let process: BackendProcess | null = first;
    for (;;) {
      try {
        for await (const event of process.events) {
          if (event.name === "exit") return event.value;
          this.log.append(event.name, event.value);
          this.#notify();
          await this.#scheduleFlush();
        }
      } catch (error) {
        if (error instanceof FlushError) {
          await process.kill("SIGKILL").catch(() => {});
          throw error.cause;
        }
      }
      process = await this.#reattach();
      if (process === null)
        return { state: "lost", exitCode: null, reason: "its events ended, and its backend no longer knows it" };
      this.#process = process;
    }
  }

  async #reattach(): Promise<BackendProcess | null> {
    const { backend, limits } = this.#parts;
    for (let attempt = 1; ; attempt++) {
      try {
        return await backend.attach(this.#record, this.log.lastSeq);
      } catch (cause) {
        if (attempt >= limits.attachAttempts) {
          const reason = `the ${backend.name} cannot be reached to follow execution "${this.#record.id}"; get it again later`;
          throw new ShellError("EAGAIN", reason, { cause });
        }
        await new Promise((resolve) => setTimeout(resolve, limits.attachPauseMs * 2 ** (attempt - 1)));
      }
    }
  }

  /** A full page is made durable at once, a partial one a little later. */
  async #scheduleFlush(): Promise<void> {
    const { limits } = this.#parts;
    if (this.log.pendingBytes >= limits.pageBytes) return this.#flush();
    this.#timer ??= setTimeout(() => this.#flush().catch(() => {}), limits.pageDelayMs);
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await this.log.flush();
    } catch (cause) {
      throw new FlushError("flush", { cause });
    }
  }

  async #finish(exit: ProcessExit): Promise<void> {
    clearTimeout(this.#timer);
    const { store, changes, now, limits, outputPath } = this.#parts;
    try {
      this.log.end();
      const { callId, cursor } = this.#record;
      const changed = await changes.paths(cursor, callId, limits.changedPaths);
      const page = await this.log.lastPage();
      const { state, exitCode, signal, reason, sync } = exit;
      const { stdout, stderr } = this.log.bytes;
      const { spooled, printed, lastSeq } = this.log;
      const ended: StoredExec = {
        ...this.#record,
        state,
        exitCode,
        ...(signal && { signal }),
        ...(reason !== undefined && { reason }),
        ...(sync && { sync }),
        ...(changed !== null && { changed }),
        endedMs: now(),
        stdoutBytes: stdout,
        stderrBytes: stderr,
        lastSeq: lastSeq + 1,
        output: spooled === 0 ? null : { path: outputPath, bytes: spooled, complete: spooled === printed },
      };
      store.finish(ended, page);
      this.#record = ended;
      this.#notify();
      this.#over.resolve();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The record stays as it is in the database; the next lookup starts over. */
  #fail(error: unknown): void {
    clearTimeout(this.#timer);
    const reason = error instanceof Error ? error.message : String(error);
    this.#failure = error instanceof ShellError ? error : new ShellError("EIO", reason, { cause: error });
    this.#notify();
    this.#over.resolve();
  }

  #notify(): void {
    this.#wake.resolve();
    if (this.exit === null && this.#failure === null) this.#wake = Promise.withResolvers<void>();
  }
}

/** Output that cannot be stored: the process is stopped rather than its output dropped. */
class FlushError extends Error {}
