/**
 * One instance of just-bash per concurrent command: its loops count their work on a meter of their module, so two commands never
 * share one. Later commands reuse an instance, because its code is already compiled.
 */
import type { WorkBudget } from "@workspace/protocol";
import type { BashModule } from "../../vendor/just-bash.js";

const MAX_IDLE = 2;

interface MeteredModule {
  readonly module: BashModule;
  budget: WorkBudget;
}

const idle: MeteredModule[] = [];

/** Loaded with the first command: a Worker that never runs one starts without it. */
export async function withBash<T>(budget: WorkBudget, run: (module: BashModule) => Promise<T>): Promise<T> {
  const { loadBash } = await import("../../vendor/just-bash.js");
  const metered = idle.pop() ?? create(loadBash, budget);
  metered.budget = budget;
  const result = await run(metered.module);
  // After an error something may still run in it, so it is not reused.
  if (idle.length < MAX_IDLE) idle.push(metered);
  return result;
}

function create(loadBash: typeof import("../../vendor/just-bash.js").loadBash, budget: WorkBudget): MeteredModule {
  const metered: { budget: WorkBudget; module?: BashModule } = { budget };
  let turn = Promise.resolve();
  metered.module = loadBash({
    spend: (steps) => metered.budget.spend(steps),
    get isDue() {
      return metered.budget.isDue;
    },
    // One after the other: several functions of a command that wait together would otherwise all run in one turn.
    pause: () => {
      turn = turn.catch(() => {}).then(() => metered.budget.pause());
      return turn;
    },
  });
  return metered as MeteredModule;
}
