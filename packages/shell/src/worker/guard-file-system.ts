/** A file system that is out of reach once a signal is aborted: a stopped command changes nothing more. */
import type { FileSystem } from "@workspace/vfs";

export function guardFileSystem<T extends FileSystem>(fs: T, signal: AbortSignal): T {
  const guarded: Record<string, unknown> = {};
  for (const [name, verb] of Object.entries(fs)) {
    if (typeof verb !== "function") continue;
    guarded[name] = (...args: unknown[]) => {
      signal.throwIfAborted();
      return verb(...args);
    };
  }
  return guarded as unknown as T;
}
