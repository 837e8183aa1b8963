/**
 * A session's subscriptions to processes. Events are sent a bounded window ahead of the reader's acknowledgements, so a slow
 * reader pauses the process instead of filling memory.
 */
import type { CommandProcess } from "../exec/command-process.ts";
import type { ProcessTable } from "../exec/process-table.ts";

type Send = (header: object, body?: Uint8Array) => void;

const AHEAD_BYTES = 1024 * 1024;

class Reader {
  readonly #process: CommandProcess;
  readonly #send: Send;
  readonly #stop: () => void;
  /** Sent and not yet acknowledged. */
  #ahead: { seq: number; length: number }[] = [];
  #aheadBytes = 0;
  #sent: number;

  constructor(process: CommandProcess, afterSeq: number, send: Send) {
    this.#process = process;
    this.#send = send;
    this.#sent = afterSeq;
    this.#stop = process.output.listen(() => this.pump());
  }

  pump(): void {
    while (this.#aheadBytes < AHEAD_BYTES) {
      const event = this.#process.output.after(this.#sent);
      if (event === undefined || event === null) return;
      this.#sent = event.seq;
      const header = { event: "exec", process: this.#process.id, seq: event.seq, name: event.name };
      if (event.name === "exit") return this.#send({ ...header, exit: event.exit });
      this.#ahead.push({ seq: event.seq, length: event.bytes.length });
      this.#aheadBytes += event.bytes.length;
      this.#send(header, event.bytes);
    }
  }

  acknowledge(seq: number): void {
    this.#process.output.confirm(seq);
    while (this.#ahead[0] !== undefined && this.#ahead[0].seq <= seq)
      this.#aheadBytes -= (this.#ahead.shift() as { length: number }).length;
    this.pump();
  }

  stop(): void {
    this.#stop();
  }
}

export class ProcessSubscriptions {
  readonly #processes: ProcessTable;
  readonly #send: Send;
  readonly #readers = new Map<string, Reader>();

  constructor(processes: ProcessTable, send: Send) {
    this.#processes = processes;
    this.#send = send;
  }

  /** Returns false if there is no such process or the events after `afterSeq` were dropped. */
  subscribe(id: string, afterSeq: number): boolean {
    const process = this.#processes.get(id);
    if (process === null || process.output.after(afterSeq) === null) return false;
    this.#readers.get(id)?.stop();
    const reader = new Reader(process, afterSeq, this.#send);
    this.#readers.set(id, reader);
    // Sends events after the response to the request.
    setImmediate(() => reader.pump());
    return true;
  }

  acknowledge(id: string, seq: number): void {
    this.#readers.get(id)?.acknowledge(seq);
  }

  unsubscribe(id: string): void {
    this.#readers.get(id)?.stop();
    this.#readers.delete(id);
  }

  close(): void {
    for (const reader of this.#readers.values()) reader.stop();
    this.#readers.clear();
  }
}
