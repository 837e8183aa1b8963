/**
 * The secret that every client must present. A daemon on a developer's machine has one from its start (secret-file.ts), because any
 * program and any web page can connect to its port. In a container only the platform's binding can connect: there the first hello
 * sets the secret, and it stays in memory, out of reach of commands.
 */
import { createHash, timingSafeEqual } from "node:crypto";

export class Secret {
  #digest: Buffer | null;

  /** `null`: the first hello sets it. */
  constructor(secret: string | null) {
    this.#digest = secret === null ? null : digestOf(secret);
  }

  /** Whether a hello with this secret is accepted. */
  claimOrVerify(given: string): boolean {
    if (given.length < 16) return false;
    const digest = digestOf(given);
    this.#digest ??= digest;
    return timingSafeEqual(this.#digest, digest);
  }

  /** The same, but never adopts the given secret. */
  matches(given: string | undefined): boolean {
    return this.#digest !== null && given !== undefined && this.claimOrVerify(given);
  }
}

function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
