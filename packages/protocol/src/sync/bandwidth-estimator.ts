/**
 * Estimates the rate of a link with the sender's clock. The sender marks a message that has contents, and the receiver acknowledges
 * its arrival (`got`) before it processes the message. The rate is the number of bytes divided by the time between. Noise (a busy
 * side, earlier messages in flight) only lowers the rate, so the estimate is the maximum of a recent window.
 */
import { SYNC_LIMITS } from "./sync-limits.ts";

/** How long a measurement counts against later ones, and after how long a slow link is probed again. */
const WINDOW_MS = 10_000;
/** Maximum duration of such a probe. */
const TRY_MS = 500;

export class BandwidthEstimator {
  #sent: { id: number; bytes: number; at: number } | null = null;
  #measures: { rate: number; at: number }[] = [];

  /** Returns whether to mark the message: it is large enough to measure, and no other is being measured. `now` in milliseconds. */
  begin(id: number, bytes: number, now: number): boolean {
    const min = this.#isSlow ? SYNC_LIMITS.gaugeAgainBytes : SYNC_LIMITS.gaugeBytes;
    if (bytes < min || this.#sent !== null) return false;
    this.#sent = { id, bytes, at: now };
    return true;
  }

  /** The receiver acknowledged it. An acknowledgment of anything else is ignored. */
  end(id: number, now: number): void {
    const sent = this.#sent;
    if (sent?.id !== id) return;
    this.#sent = null;
    const rate = (sent.bytes * 1000) / Math.max(1, now - sent.at);
    this.#measures = this.#measures.filter((measure) => now - measure.at < WINDOW_MS && measure.rate > rate);
    this.#measures.push({ rate, at: now });
  }

  /** Bytes a second; null before the first measurement. */
  get rate(): number | null {
    return this.#measures[0]?.rate ?? null;
  }

  /**
   * Whether to compress a body of this size: compression takes less time than it saves. Occasionally a body that is not too long
   * and can be measured (`mayMeasure`) is sent uncompressed: the link may be fast again, and compressed bodies may be too small to
   * measure.
   */
  shouldCompress(bytes: number, now: number, mayMeasure: boolean): boolean {
    const [best] = this.#measures;
    if (best === undefined || best.rate >= SYNC_LIMITS.slowBytesPerSecond) return false;
    const isOld = now - (this.#measures.at(-1) as { at: number }).at >= WINDOW_MS;
    const isTry = isOld && mayMeasure && this.#sent === null && bytes >= SYNC_LIMITS.gaugeAgainBytes;
    return !isTry || (bytes * 1000) / best.rate > TRY_MS;
  }

  get #isSlow(): boolean {
    return this.rate !== null && this.rate < SYNC_LIMITS.slowBytesPerSecond;
  }
}
