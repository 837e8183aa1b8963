/** Node's callbacks: the last argument, called once, with an error or null first. */
import { FsError } from "@workspace/vfs";

// biome-ignore lint/suspicious/noExplicitAny: the arguments of any verb, its callback last
export type CallbackVerb = (...args: any[]) => void;
type Callback = (error: unknown, ...values: unknown[]) => void;

export function withCallbacks<V extends string>(
  verbs: Record<V, (...args: unknown[]) => Promise<unknown>>,
): Record<V, CallbackVerb> {
  const entries = Object.entries(verbs) as [V, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(entries.map(([verb, run]) => [verb, callbackVerb(verb, run)])) as Record<V, CallbackVerb>;
}

export function callbackVerb(verb: string, run: (...args: unknown[]) => Promise<unknown>): CallbackVerb {
  return (...args: unknown[]) => {
    const callback = callbackOf(verb, args);
    settle(run(...args.slice(0, -1)), callback, (value) => (value === undefined ? [] : [value]));
  };
}

/** Calls back outside the promise: an exception in the callback is the program's error, not ours. */
export function settle<T>(answer: Promise<T>, callback: Callback, values: (value: T) => unknown[]): void {
  answer.then(
    (value) => queueMicrotask(() => callback(null, ...values(value))),
    (error: unknown) => queueMicrotask(() => callback(error)),
  );
}

export function callbackOf(verb: string, args: readonly unknown[]): Callback {
  const last = args.at(-1);
  if (typeof last === "function") return last as Callback;
  throw new FsError("EINVAL", { syscall: verb, reason: "the last argument must be a callback" });
}
