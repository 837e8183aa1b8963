/**
 * The cost of a search, and its limit. A byte that a known DFA state consumes is a step of about 1 ns. A new state takes a pass
 * over the NFA, whose threads cost about 20 ns each: an ordinary pattern makes a few hundred states, a hostile one makes one of
 * thousands of threads for every byte. Threads therefore have a separate limit.
 */
import { searchLimits } from "../../api/limits.ts";

export interface StepBudget {
  /** Bytes and threads together. */
  steps: number;
  readonly limit: number;
  threads: number;
  /** `steps` at the last pause, and the maximum between two pauses. */
  stepsAtPause: number;
  longestStretch: number;
}

/** Not a failure: the budget of a search is spent. */
export class StepBudgetExceeded extends Error {}

export function createWork(limit: number): StepBudget {
  return { steps: 0, limit, threads: 0, stepsAtPause: 0, longestStretch: 0 };
}

export function spend(work: StepBudget, steps: number): void {
  work.steps += steps;
  const stretch = work.steps - work.stepsAtPause;
  if (stretch > work.longestStretch) work.longestStretch = stretch;
  if (work.steps > work.limit || stretch > searchLimits.stretchSteps)
    throw new StepBudgetExceeded("the budget of steps is spent");
}

export function spendThreads(work: StepBudget, threads: number): void {
  work.threads += threads;
  spend(work, threads);
  if (work.threads > searchLimits.budgetThreads) throw new StepBudgetExceeded("the budget of threads is spent");
}

export function isPauseDue(work: StepBudget): boolean {
  return work.steps - work.stepsAtPause > searchLimits.pauseSteps;
}

/** Lets other requests run. Only a timer does: other promises resolve before them. */
export async function pauseWork(work: StepBudget): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  work.stepsAtPause = work.steps;
}
