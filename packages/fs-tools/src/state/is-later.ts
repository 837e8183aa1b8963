/** Tells a promise, ours or a binding's, from an immediate value, so that known values need no await. */
export function isLater<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
