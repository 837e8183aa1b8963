/** Somebody who looks at the objects of a pack as they are named, while their bytes are at hand. */
import type { Arena } from "./arena.ts";
import type { ObjectTable } from "./object-table.ts";

export interface NamedObjects {
  readonly table: ObjectTable;
  readonly arena: Arena;
}

export interface PackObserver {
  /** The object of this row has its name, and is in the arena; it will not be for long. */
  onObject(objects: NamedObjects, row: number): void;
  /** Where there is time to wait: between two pieces of input, and with `all` at the end. Null: there is nothing to wait for. */
  flush(objects: NamedObjects, all: boolean): Promise<void> | null;
}

/** Several that look at the same. */
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
