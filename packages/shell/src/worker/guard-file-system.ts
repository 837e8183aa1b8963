/** A file system that refuses all calls once a signal is aborted: a stopped command changes nothing more. Calls count as work. */
import type { WorkBudget } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";

/** A call takes 10 to 50 µs, mostly in the database; the runtime copies its bytes in one piece. */
const STEPS_PER_CALL = 1_000;
const BYTES_PER_STEP = 64;

export function guardFileSystem<T extends FileSystem>(fs: T, signal: AbortSignal, budget: WorkBudget): T {
  const guarded: Record<string, unknown> = {};
  for (const [name, verb] of Object.entries(fs)) {
    if (typeof verb !== "function") continue;
    guarded[name] = (...args: unknown[]) => {
      signal.throwIfAborted();
      budget.spend(STEPS_PER_CALL + stepsToCopy(args[1]));
      const answer: unknown = verb(...args);
      return answer instanceof Promise ? answer.then((value: unknown) => counted(budget, value)) : answer;
    };
  }
  return guarded as unknown as T;
}

async function counted<T>(budget: WorkBudget, value: T): Promise<T> {
  budget.spend(stepsToCopy(value));
  await budget.checkpoint();
  return value;
}

function stepsToCopy(value: unknown): number {
  const isLong = typeof value === "string" || value instanceof Uint8Array || Array.isArray(value);
  return isLong ? Math.ceil(value.length / BYTES_PER_STEP) : 0;
}
