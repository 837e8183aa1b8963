/** The running executions of one workspace, shared by all its views: at most one follower per execution. */
import type { Execution } from "./execution.ts";

export class RunningExecutions {
  readonly #running = new Map<string, Execution | Promise<Execution | null>>();

  /** Executions started since the isolate began. */
  started = 0;

  get count(): number {
    return this.#running.size;
  }

  get(id: string): Execution | Promise<Execution | null> | undefined {
    return this.#running.get(id);
  }

  /** Tracked until it is done. */
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

  /** One lookup of an execution at a time; concurrent callers share its result. */
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
