/** Pins a key in a table, counted, until the result is disposed. */
export function pin(table: Map<number, number>, key: number): Disposable {
  table.set(key, (table.get(key) ?? 0) + 1);
  let held = true;
  return {
    [Symbol.dispose]() {
      if (!held) return;
      held = false;
      const count = (table.get(key) ?? 1) - 1;
      if (count === 0) table.delete(key);
      else table.set(key, count);
    },
  };
}
