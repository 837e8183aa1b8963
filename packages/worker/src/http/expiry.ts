/**
 * Ends a long response when the credential of its request expires: a stream or a socket that stays open would otherwise outlive its
 * token.
 */

/** The longest delay of a timer. Whatever lasts longer ends then, and its client connects again. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls `end` at the time `expiresAt` (milliseconds; absent: never). Returns a function that cancels it. */
export function atExpiry(expiresAt: number | undefined, end: () => void): () => void {
  if (expiresAt === undefined) return () => {};
  const timer = setTimeout(end, Math.min(Math.max(0, expiresAt - Date.now()), MAX_DELAY_MS));
  return () => clearTimeout(timer);
}
