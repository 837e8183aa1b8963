/**
 * Counts the bytes of contents that a sync has in memory: read and not sent, sent and not answered, received and not written. It
 * only counts; the windows of `SYNC_LIMITS` bound it, and a test checks the peak.
 */
export class BufferedBytes {
  readonly #onPeak: (bytes: number) => void;
  #bytes = 0;
  #peak = 0;

  constructor(onPeak: (bytes: number) => void) {
    this.#onPeak = onPeak;
  }

  /** Returns the function that releases them. */
  hold(bytes: number): () => void {
    this.#bytes += bytes;
    if (this.#bytes > this.#peak) this.#onPeak((this.#peak = this.#bytes));
    let held = true;
    return () => {
      if (held) this.#bytes -= bytes;
      held = false;
    };
  }
}
