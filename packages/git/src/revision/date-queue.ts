/** Priority queue of commits by time, newest first, in insertion order for equal times: a binary heap. */

interface Dated {
  readonly seconds: number;
}

export class DateQueue<Item extends Dated> {
  private readonly heap: { item: Item; order: number }[] = [];
  private count = 0;

  get size(): number {
    return this.heap.length;
  }

  /** The newest, not removed. */
  peek(): Item | undefined {
    return this.heap[0]?.item;
  }

  push(item: Item): void {
    const { heap } = this;
    const entry = { item, order: this.count++ };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as (typeof heap)[number];
      if (!before(entry, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  pop(): Item | undefined {
    const { heap } = this;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top?.item;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1] as typeof last, heap[child] as typeof last)) child++;
      const below = heap[child] as typeof last;
      if (!before(below, last)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return top.item;
  }

  /** Unordered. */
  *items(): IterableIterator<Item> {
    for (const { item } of this.heap) yield item;
  }
}

function before(a: { item: Dated; order: number }, b: { item: Dated; order: number }): boolean {
  return a.item.seconds > b.item.seconds || (a.item.seconds === b.item.seconds && a.order < b.order);
}
