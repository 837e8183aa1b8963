/**
 * How often one token may come: a bucket that holds `requestBurst` and is filled again at `requestsPerSecond`. It is kept in the
 * isolate's memory, so a token that is spread over several isolates has as many buckets; it stops a runaway client, not a botnet.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";

export class Rates {
  /** In order of last use. */
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  take(holder: string, nowMs: number, perSecond: number = LIMITS.requestsPerSecond): void {
    const burst = (LIMITS.requestBurst / LIMITS.requestsPerSecond) * perSecond;
    const bucket = this.#buckets.get(holder) ?? { left: burst, atMs: nowMs };
    bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = nowMs;
    this.#buckets.delete(holder);
    this.#buckets.set(holder, bucket);
    if (this.#buckets.size > LIMITS.rateHolders) this.#buckets.delete(this.#buckets.keys().next().value as string);
    if (bucket.left < 1) throw tooMany((1 - bucket.left) / perSecond);
    bucket.left -= 1;
  }
}

function tooMany(seconds: number): HttpError {
  const headers = { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
  return new HttpError("TOO_MANY_REQUESTS", "this token comes too often", { headers });
}
