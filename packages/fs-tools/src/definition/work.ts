/**
 * Long work on a caller's text: a generator that yields the number of steps it took, at most a few hundred thousand at a time. A
 * step is one character or line examined. The runner decides whether other requests run in between.
 */
import { createWorkBudget, WorkError } from "@workspace/protocol";
import { ToolError } from "../errors.ts";

export type Work<T> = Generator<number, T, void>;

/** Runs synchronously. */
export function finish<T>(work: Work<T>): T {
  const budget = createWorkBudget({ stretchSteps: Number.POSITIVE_INFINITY });
  try {
    for (let next = work.next(); ; next = work.next()) {
      if (next.done) return next.value;
      budget.spend(next.value);
    }
  } catch (error) {
    throw toolErrorOf(error);
  }
}

/** Yields to other requests in between. */
export async function finishInTurns<T>(work: Work<T>, signal?: AbortSignal): Promise<T> {
  const budget = createWorkBudget({}, signal);
  try {
    for (let next = work.next(); ; next = work.next()) {
      if (next.done) return next.value;
      budget.spend(next.value);
      if (budget.isDue) await budget.pause();
    }
  } catch (error) {
    throw toolErrorOf(error);
  }
}

function toolErrorOf(error: unknown): unknown {
  if (!(error instanceof WorkError)) return error;
  if (error.code === "ABORTED") return error.cause;
  return new ToolError("TOO_LARGE", "This takes too much work for one call; nothing was changed. Send it in parts.");
}
