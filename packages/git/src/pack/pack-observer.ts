/** Observes each object of an incoming pack while its bytes are in memory. */
import type { Arena } from "./arena.ts";
import type { ObjectTable } from "./object-table.ts";

export interface NamedObjects {
  readonly table: ObjectTable;
  readonly arena: Arena;
}

export interface PackObserver {
  /** The object of this row has its id and is in the arena, but not for long. */
  onObject(objects: NamedObjects, row: number): void;
  /** Called where waiting is possible: between two pieces of input, and with `all` at the end. Null: nothing to wait for. */
  flush(objects: NamedObjects, all: boolean): Promise<void> | null;
}

/** Combines several observers. */
export function observeAll(...watches: readonly PackObserver[]): PackObserver {
  return {
    onObject: (objects, row) => {
      for (const watch of watches) watch.onObject(objects, row);
    },
    flush: (objects, all) => {
      const waiting = watches.map((watch) => watch.flush(objects, all)).filter((one) => one !== null);
      return waiting.length === 0 ? null : Promise.all(waiting).then(() => {});
    },
  };
}
