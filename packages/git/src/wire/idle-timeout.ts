/**
 * Idle timeout of a transfer: a wait fails when the server sends nothing for too long, or when the caller aborts. The caller then
 * closes the connection and releases the repository's lock, so that other commands can run.
 */

/** Number of clock checks per timeout. */
const CHECKS = 4;
const ABORTED = "Operation was aborted by an application callback";

function tooSlow(silenceMs: number): TransferAborted {
  const seconds = Math.round(silenceMs / 1000);
  return new TransferAborted(28, `Operation too slow. Less than 1 bytes/sec transferred the last ${seconds} seconds`);
}

export class IdleTimeout {
  readonly #silenceMs: number;
  readonly #signal: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tooSlow = () => {};
  #clock: ReturnType<typeof setInterval> | undefined;
  #abort: (() => void) | undefined;
  #giveUp = (_: TransferAborted) => {};
  /** Clock checks since the last wait began. */
  #quietChecks = 0;

  constructor(silenceMs: number, signal: AbortSignal | undefined) {
    this.#silenceMs = silenceMs;
    this.#signal = signal;
  }

  /** One wait at a time. Its error gives the reason in curl's words. */
  async wait<T>(work: Promise<T>): Promise<T> {
    let giveUp = (_: TransferAborted) => {};
    const inputUp = new Promise<never>((_, reject) => (giveUp = reject));
    const abort = () => giveUp(new TransferAborted(42, ABORTED));
    this.#tooSlow = () => giveUp(tooSlow(this.#silenceMs));
    this.#signal?.addEventListener("abort", abort);
    if (this.#signal?.aborted) abort();
    this.reset();
    try {
      return await Promise.race([work, inputUp]);
    } finally {
      clearTimeout(this.#timer);
      this.#signal?.removeEventListener("abort", abort);
    }
  }

  /**
   * As `wait`, for one of thousands: the timer continues from one to the next and is checked periodically, until `stop`. A timer
   * for each would be most of a clone's garbage. The timeout may be a quarter longer.
   */
  raceChunk<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#giveUp = reject;
      this.#quietChecks = -1;
      if (this.#abort === undefined && this.#signal !== undefined) {
        this.#abort = () => this.#giveUp(new TransferAborted(42, ABORTED));
        this.#signal.addEventListener("abort", this.#abort);
      }
      if (this.#signal?.aborted) this.#abort?.();
      this.#clock ??= setInterval(this.#check, this.#silenceMs / CHECKS);
      work.then(resolve, reject);
    });
  }

  /** Stops the timer. */
  stop(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
    if (this.#abort !== undefined) this.#signal?.removeEventListener("abort", this.#abort);
    this.#abort = undefined;
  }

  readonly #check = () => {
    if (++this.#quietChecks >= CHECKS) this.#giveUp(tooSlow(this.#silenceMs));
  };

  /** The other side read or sent something: resets the timeout. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tooSlow(), this.#silenceMs);
  }
}

export class TransferAborted extends Error {
  override readonly name = "TransferAborted";
  readonly curlCode: number;

  constructor(curlCode: number, message: string) {
    super(message);
    this.curlCode = curlCode;
  }
}
