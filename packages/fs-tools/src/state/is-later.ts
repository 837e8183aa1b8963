/** What may be known at once need not be waited for: a promise, ours or one of a binding's, against the value itself. */
export function isLater<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
