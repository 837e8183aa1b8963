/**
 * Limits guesses of tokens and sessions by client address. An address with too many failures is refused before its credential is
 * read, which bounds its rate of guesses; other addresses are unaffected. A credential accepted before is still accepted, so a
 * neighbor behind the same address cannot block a running client. Counts are per isolate, as in rate-limiter.ts.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { RateLimiter } from "./rate-limiter.ts";

export class FailedAttempts {
  readonly #failures = new RateLimiter(
    { perSecond: LIMITS.failuresPerSecond, burst: LIMITS.failureBurst },
    "too many failed attempts from this address",
  );
  /** In order of last use. */
  readonly #accepted = new Set<string>();
  /** Being authenticated. */
  readonly #running = new Set<string>();

  /**
   * Runs `authenticate` unless this request's address has failed too often. The attempt counts from its start and is refunded if it
   * did not fail, so parallel guesses count as much as sequential ones. `credential`: null if not known yet.
   */
  async guard<T>(
    request: Request,
    credential: string | null,
    nowMs: number,
    authenticate: () => Promise<T>,
    isFailure: (result: T) => boolean = () => false,
  ): Promise<T> {
    const source = clientAddress(request.headers);
    // The same credential twice at the same time is one guess, and a page's first requests come together.
    const counts = credential === null || !(this.#accepted.has(credential) || this.#running.has(credential));
    if (counts) this.#failures.consume(source, nowMs);
    if (credential !== null) this.#running.add(credential);
    let failed = false;
    try {
      const result = await authenticate();
      failed = isFailure(result);
      if (credential !== null) this.#accept(credential);
      return result;
    } catch (error) {
      failed = error instanceof HttpError && error.code === "UNAUTHORIZED";
      throw error;
    } finally {
      if (credential !== null) this.#running.delete(credential);
      if (counts && !failed) this.#failures.refund(source, nowMs);
      if (!counts && failed) this.#failures.spend(source, nowMs);
    }
  }

  #accept(credential: string): void {
    this.#accepted.delete(credential);
    this.#accepted.add(credential);
    if (this.#accepted.size > LIMITS.acceptedCredentials)
      this.#accepted.delete(this.#accepted.values().next().value as string);
  }
}

/**
 * The address that Cloudflare saw; for IPv6 the /64 network, which belongs to one customer. The header decides only which address a
 * failure counts against, never whether a credential is valid.
 */
function clientAddress(headers: Headers): string {
  const address = headers.get("CF-Connecting-IP") ?? "";
  if (!address.includes(":")) return address;
  const [front = "", back] = address.toLowerCase().split("::", 2);
  const groups = front.split(":");
  if (back !== undefined) while (groups.length < 4) groups.push("0");
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "") || "0")
    .join(":");
}
