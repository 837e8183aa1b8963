/**
 * Whose daemon this is. The first hello names a secret, and from then on nobody gets anything without it. It comes by message and
 * stays in memory: not in the environment, not in a file, so no command can find it.
 */
import { createHash, timingSafeEqual } from "node:crypto";

export class Secret {
  #digest: Buffer | null = null;

  /** Claims the daemon for this secret if nobody has; otherwise says whether it is the one. */
  admits(given: string): boolean {
    if (given.length < 16) return false;
    const digest = createHash("sha256").update(given).digest();
    this.#digest ??= digest;
    return timingSafeEqual(this.#digest, digest);
  }

  /** The same, without claiming. */
  matches(given: string | undefined): boolean {
    return this.#digest !== null && given !== undefined && this.admits(given);
  }
}
