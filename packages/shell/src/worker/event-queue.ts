/** A process's events, buffered until it is done: a follower reads them in order, from any position. */
import type { ProcessEvent } from "../exec-backend.ts";

export class EventQueue {
  readonly #events: ProcessEvent[] = [];
  #first = 1;
  #wake = Promise.withResolvers<void>();
  #ended = false;

  /** The seq of the next event. */
  get next(): number {
    return this.#first + this.#events.length;
  }

  push(event: ProcessEvent): void {
    this.#events.push(event);
    this.#ended = event.name === "exit";
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  async *after(seq: number): AsyncGenerator<ProcessEvent> {
    for (let next = seq + 1; ; ) {
      const event = this.#events[next - this.#first];
      if (event !== undefined) {
        yield event;
        next++;
        this.#forget(next);
      } else if (this.#ended) return;
      else await this.#wake.promise;
    }
  }

  /** Frees events that the follower has taken: the isolate's memory is shared. */
  #forget(next: number): void {
    while (this.#first < next && this.#events.length > 1) {
      this.#events.shift();
      this.#first++;
    }
  }
}
