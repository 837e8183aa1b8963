/**
 * Retries a request after a transient failure (no connection, a truncated response, a server that sends Retry-After), with
 * exponential backoff. Only for idempotent requests.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../cli-error.ts";

const ATTEMPTS = 5;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export async function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures === ATTEMPTS || !isRetryable(error)) throw error;
      const requested = error instanceof CliError ? (error.retryAfterMs ?? 0) : 0;
      await sleep(Math.min(MAX_DELAY_MS, Math.max(requested, FIRST_DELAY_MS * 2 ** (failures - 1))));
    }
  }
}

function isRetryable(error: unknown): boolean {
  if (error instanceof CliError) return error.retryAfterMs !== undefined;
  return brokenConnection(error) !== null;
}

/** The code of a connection that broke during a response, as Node's `fetch` reports it; null for any other error. */
export function brokenConnection(error: unknown): string | null {
  const { cause } = error as { cause?: { code?: unknown } };
  return error instanceof TypeError && typeof cause?.code === "string" ? cause.code : null;
}
