/**
 * The numbered output of a process, so that a reader can resume after a lost connection. It is bounded: too much unread output
 * pauses the process, and old output that was read is dropped.
 */
import { type ExecExit, SYNC_LIMITS } from "@workspace/protocol";

export type LoggedEvent =
  | { seq: number; name: "stdout" | "stderr"; bytes: Buffer }
  | { seq: number; name: "exit"; exit: ExecExit };

export class OutputLog {
  #events: LoggedEvent[] = [];
  #bytes = 0;
  /** Bytes that no reader has acknowledged. */
  #unread = 0;
  #nextSeq = 1;
  #readTo = 0;
  readonly #listeners = new Set<() => void>();
  /** Called when there is room again. */
  onRoom: () => void = () => {};

  get ended(): boolean {
    return this.#events.at(-1)?.name === "exit";
  }

  get isFull(): boolean {
    return this.#unread >= SYNC_LIMITS.outputBytes;
  }

  write(name: "stdout" | "stderr", bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += SYNC_LIMITS.outputChunk) {
      const piece = bytes.subarray(at, at + SYNC_LIMITS.outputChunk);
      this.#push({ seq: this.#nextSeq++, name, bytes: piece });
      this.#bytes += piece.length;
      this.#unread += piece.length;
    }
    this.#trim();
  }

  end(exit: ExecExit): void {
    this.#push({ seq: this.#nextSeq++, name: "exit", exit });
  }

  /** The first event after `seq`; undefined if there is none yet, null if it was dropped. */
  after(seq: number): LoggedEvent | undefined | null {
    const first = this.#events[0]?.seq ?? this.#nextSeq;
    if (seq + 1 < first) return null;
    return this.#events[seq + 1 - first];
  }

  confirm(seq: number): void {
    if (seq <= this.#readTo) return;
    const wasFull = this.isFull;
    for (const event of this.#events) {
      if (event.seq > seq) break;
      if (event.seq > this.#readTo && event.name !== "exit") this.#unread -= event.bytes.length;
    }
    this.#readTo = Math.min(seq, this.#nextSeq - 1);
    this.#trim();
    if (wasFull && !this.isFull) this.onRoom();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #push(event: LoggedEvent): void {
    this.#events.push(event);
    for (const listener of this.#listeners) listener();
  }

  #trim(): void {
    let dropped = 0;
    while (this.#bytes > SYNC_LIMITS.outputBytes) {
      const oldest = this.#events[dropped];
      if (oldest === undefined || oldest.name === "exit" || oldest.seq > this.#readTo) break;
      this.#bytes -= oldest.bytes.length;
      dropped++;
    }
    if (dropped > 0) this.#events.splice(0, dropped);
  }
}
