/** What runs now in one workspace, whatever view of it asked: at most one follower per execution. */
import type { Execution } from "./execution.ts";

export class RunningExecutions {
  readonly #running = new Map<string, Execution | Promise<Execution | null>>();

  /** How many began in this life. */
  started = 0;

  get count(): number {
    return this.#running.size;
  }

  get(id: string): Execution | Promise<Execution | null> | undefined {
    return this.#running.get(id);
  }

  /** Kept until it is over. */
  add(id: string, execution: Execution): void {
    this.started++;
    this.#running.set(id, execution);
    execution.done.then(() => {
      if (this.#running.get(id) === execution) this.#running.delete(id);
    });
  }

  remove(id: string): void {
    this.#running.delete(id);
  }

  /** One attempt at a time to find an execution again; those who ask meanwhile get the same answer. */
  find(id: string, search: () => Promise<Execution | null>): Promise<Execution | null> {
    const known = this.#running.get(id);
    if (known !== undefined) return Promise.resolve(known);
    const searching = search().finally(() => {
      if (this.#running.get(id) === searching) this.#running.delete(id);
    });
    this.#running.set(id, searching);
    return searching;
  }
}

const ofWorkspace = new WeakMap<object, RunningExecutions>();

/** The same for every view of a workspace. */
export function runningExecutionsFor(key: object): RunningExecutions {
  const executions = ofWorkspace.get(key) ?? new RunningExecutions();
  ofWorkspace.set(key, executions);
  return executions;
}
