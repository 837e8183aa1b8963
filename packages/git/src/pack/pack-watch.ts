/** Somebody who looks at the objects of a pack as they are named, while their bytes are at hand. */
import type { Arena } from "./arena.ts";
import type { ObjectTable } from "./object-table.ts";

export interface NamedObjects {
  readonly table: ObjectTable;
  readonly arena: Arena;
}

export interface PackWatch {
  /** The object of this row has its name, and is in the arena; it will not be for long. */
  named(objects: NamedObjects, row: number): void;
  /** Where there is time to wait: between two pieces of input, and with `all` at the end. Null: there is nothing to wait for. */
  settle(objects: NamedObjects, all: boolean): Promise<void> | null;
}
