/**
 * Rate limit per token: a token bucket that holds `burst` and refills at `perSecond`. It lives in the isolate's memory, so a token
 * used in several isolates has as many buckets; it stops a runaway client, not a botnet.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";

export interface Rate {
  perSecond: number;
  burst: number;
}

export class RateLimiter {
  readonly #rate: Rate;
  readonly #message: string;
  /** In order of last use. */
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(rate: Rate, message: string) {
    this.#rate = rate;
    this.#message = message;
  }

  consume(holder: string, nowMs: number, rate?: Rate): void {
    this.require(holder, nowMs, rate);
    this.spend(holder, nowMs, rate);
  }

  /** Throws when the bucket is empty. */
  require(holder: string, nowMs: number, rate: Rate = this.#rate): void {
    const { left } = this.#bucket(holder, nowMs, rate);
    if (left < 1) throw this.#tooMany((1 - left) / rate.perSecond);
  }

  spend(holder: string, nowMs: number, rate: Rate = this.#rate): void {
    const bucket = this.#bucket(holder, nowMs, rate);
    bucket.left = Math.max(0, bucket.left - 1);
  }

  /** Returns what `consume` took. */
  refund(holder: string, nowMs: number, rate: Rate = this.#rate): void {
    const bucket = this.#bucket(holder, nowMs, rate);
    bucket.left = Math.min(rate.burst, bucket.left + 1);
  }

  #bucket(holder: string, nowMs: number, { perSecond, burst }: Rate): { left: number } {
    const bucket = this.#buckets.get(holder) ?? { left: burst, atMs: nowMs };
    // Requests end in another order than they begin, so a time may be earlier than the last one.
    bucket.left = Math.min(burst, bucket.left + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = Math.max(nowMs, bucket.atMs);
    this.#buckets.delete(holder);
    this.#buckets.set(holder, bucket);
    if (this.#buckets.size > LIMITS.rateLimitBuckets) this.#buckets.delete(this.#buckets.keys().next().value as string);
    return bucket;
  }

  #tooMany(seconds: number): HttpError {
    const headers = { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
    return new HttpError("TOO_MANY_REQUESTS", this.#message, { headers });
  }
}
