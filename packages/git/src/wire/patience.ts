/**
 * How long a server may say nothing, and whether the caller still wants to hear. One of the two ends the wait; who waited gives up
 * the connection, and with it the repository's turn that other commands wait for.
 */
export class Patience {
  readonly #silenceMs: number;
  readonly #signal: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tooSlow = () => {};

  constructor(silenceMs: number, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#signal = signal;
  }

  /** One at a time. What it throws says why in curl's words. */
  async wait<T>(work: Promise<T>): Promise<T> {
    let giveUp = (_: GivenUp) => {};
    const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
    const abort = () => giveUp(new GivenUp(42, "Operation was aborted by an application callback"));
    const seconds = Math.round(this.#silenceMs / 1000);
    this.#tooSlow = () =>
      giveUp(new GivenUp(28, `Operation too slow. Less than 1 bytes/sec transferred the last ${seconds} seconds`));
    this.#signal?.addEventListener("abort", abort);
    if (this.#signal?.aborted) abort();
    this.heard();
    try {
      return await Promise.race([work, givenUp]);
    } finally {
      clearTimeout(this.#timer);
      this.#signal?.removeEventListener("abort", abort);
    }
  }

  /** The other side took or gave something: the silence begins anew. */
  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tooSlow(), this.#silenceMs);
  }
}

export class GivenUp extends Error {
  override readonly name = "GivenUp";
  readonly curlCode: number;

  constructor(curlCode: number, message: string) {
    super(message);
    this.curlCode = curlCode;
  }
}
