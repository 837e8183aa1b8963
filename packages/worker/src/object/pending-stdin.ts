/**
 * Standard input that arrives in separate requests. The object holds it as a stream, because the Worker's shell starts a command
 * only when its whole input has arrived, and because a request's own stream ends with the request. Idle stdin is cancelled together
 * with its command.
 */
import type { Shell } from "@cloudflare/workspace/shell";
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";

export interface PendingExec {
  id: string;
  command: string | string[];
  cwd: string;
  env?: Record<string, string>;
  timeoutMs?: number;
  backend?: "worker" | "container";
}

interface PendingInput {
  writer: WritableStreamDefaultWriter<Uint8Array>;
  timer: ReturnType<typeof setTimeout>;
}

/** Interval between checks whether the command has started. */
const LOOK_MS = 5;

export class PendingStdin {
  readonly #pending = new Map<string, PendingInput>();

  /** Resolves when the execution is recorded under its id; rejects with the reason otherwise. */
  async start(shell: Shell, { id, command, ...options }: PendingExec): Promise<{ id: string; callId: string }> {
    // Another command's input must not be replaced, nor its record taken for this one's.
    const recorded = await shell.get(id).catch(() => null);
    if (recorded !== null || this.#pending.has(id))
      throw new HttpError("EEXIST", `there is an execution "${id}" already`);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.#pending.set(id, { writer: writable.getWriter(), timer: this.#idleTimer(id) });
    let failure: { error: unknown } | null = null;
    const started = shell.exec(command, { ...options, id, stdin: readable }).catch((error: unknown) => {
      failure = { error };
      this.#drop(id);
    });
    for (;;) {
      await Promise.race([started, new Promise((wake) => setTimeout(wake, LOOK_MS))]);
      if (failure !== null) throw (failure as { error: unknown }).error;
      const known = await shell.get(id).catch(() => null);
      if (known !== null) return { id, callId: known.callId };
    }
  }

  /** False if this object does not hold the execution's input. */
  async add(id: string, bytes: Uint8Array, end: boolean): Promise<boolean> {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    clearTimeout(pending.timer);
    pending.timer = this.#idleTimer(id);
    try {
      if (bytes.length > 0) await pending.writer.write(bytes);
      if (end) await pending.writer.close();
    } catch (cause) {
      throw new HttpError("EPIPE", "the command takes no more input", { cause });
    } finally {
      if (end) this.#drop(id);
    }
    return true;
  }

  /** The command that waits for it does not start. */
  cancel(id: string): boolean {
    const pending = this.#pending.get(id);
    pending?.writer.abort(new HttpError("ABORT_ERR", "the input was canceled")).catch(() => {});
    this.#drop(id);
    return pending !== undefined;
  }

  #idleTimer(id: string): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.cancel(id), LIMITS.stdinIdleMs);
  }

  #drop(id: string): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
  }
}
