import { expect, it } from "vitest";
import { PageBuilder } from "./page.ts";

/** Reference implementation: an item fits while all of them, as JSON, are within the budget. */
function expected(items: readonly unknown[], max: number, bytes: number): number {
  let size = 0;
  for (const [i, item] of items.entries()) {
    size += JSON.stringify(item).length + 1;
    if (i >= max || (size > bytes && i > 0)) return i;
  }
  return items.length;
}

it("a page holds as many items as fit both budgets, to the byte, and at least one", () => {
  const items = Array.from({ length: 40 }, (_, i) => ({
    name: `${'\u0001ü"x'.repeat(i % 7)}${i}`,
    size: i ** 5,
    at: null,
  }));
  for (const list of [items, items.map(({ name }) => name)])
    for (let bytes = 0; bytes < 2200; bytes += 7)
      for (const max of [1, 10, 100]) {
        const page = new PageBuilder<unknown>(max, bytes);
        let added = 0;
        for (const [i, item] of list.entries()) {
          if (!page.add(item, String(i))) break;
          added++;
        }
        const count = expected(list, max, bytes);
        expect([bytes, max, added]).toEqual([bytes, max, count]);
        expect(page.page()).toEqual({
          items: list.slice(0, count),
          truncated: count < list.length,
          ...(count < list.length ? { cursor: String(count - 1) } : {}),
        });
      }
});
