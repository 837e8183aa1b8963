/**
 * Memory for large operations, shared by every volume of the isolate: objects of one Worker may share its 128 MB, so a limit per
 * object would not hold. A lease waits until enough is free. It fails with EAGAIN, before any change, beyond the capacity or when
 * the queue is full.
 */
import { FsError } from "../api/errors.ts";

const MAX_WAITING = 256;

class MemoryPool {
  readonly #capacity: number;
  #free: number;
  readonly #waiting: { bytes: number; admit: () => void }[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#free = capacity;
  }

  get free(): number {
    return this.#free;
  }

  /** Leases `bytes` until the result is disposed. */
  async lease(bytes: number): Promise<Disposable> {
    if (bytes > this.#capacity || this.#waiting.length >= MAX_WAITING) throw new FsError("EAGAIN", { syscall: "read" });
    if (this.#waiting.length > 0 || bytes > this.#free)
      await new Promise<void>((admit) => this.#waiting.push({ bytes, admit }));
    else this.#free -= bytes;
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (held) this.#giveBack(bytes);
        held = false;
      },
    };
  }

  #giveBack(bytes: number): void {
    this.#free += bytes;
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.admit();
    }
  }
}

/** The limit for all volumes of this isolate together, besides their metadata caches. */
export const isolatePool = new MemoryPool(64 * 1024 * 1024);
