/**
 * How fast a link is, by the sender's own watch: a message with contents is marked, the other side says at once that it has all of it
 * (`got`), before it does anything with it, and the bytes by the time between are a rate. Whatever disturbs that (somebody was busy,
 * something was on its way before) makes it look slower than it is, so the best of the last while is believed.
 */
import { SYNC_LIMITS } from "./sync-limits.ts";

/** How long a measure counts against later ones, and after how long a slow link is tried again. */
const WINDOW_MS = 10_000;
/** What such a try may take. */
const TRY_MS = 500;

export class BandwidthEstimator {
  #sent: { id: number; bytes: number; at: number } | null = null;
  #measures: { rate: number; at: number }[] = [];

  /** Returns whether the message is to be marked: it is large enough to tell anything, and none is being measured. `now` in milliseconds. */
  begin(id: number, bytes: number, now: number): boolean {
    const min = this.#isSlow ? SYNC_LIMITS.gaugeAgainBytes : SYNC_LIMITS.gaugeBytes;
    if (bytes < min || this.#sent !== null) return false;
    this.#sent = { id, bytes, at: now };
    return true;
  }

  /** The other side has it. A word on anything else is ignored. */
  end(id: number, now: number): void {
    const sent = this.#sent;
    if (sent?.id !== id) return;
    this.#sent = null;
    const rate = (sent.bytes * 1000) / Math.max(1, now - sent.at);
    this.#measures = this.#measures.filter((measure) => now - measure.at < WINDOW_MS && measure.rate > rate);
    this.#measures.push({ rate, at: now });
  }

  /** Bytes a second; null before anything was measured. */
  get rate(): number | null {
    return this.#measures[0]?.rate ?? null;
  }

  /**
   * Whether a body of so many bytes is to be packed: packing takes less time than it saves. Once in a while one goes as it is all the
   * same, if it is not too long and can be measured (`mayMeasure`): the link may be fast again, and what is packed may be too little to tell.
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
