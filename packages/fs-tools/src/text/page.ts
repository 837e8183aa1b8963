/** A page of an answer: as many items as fit both budgets, their number and their bytes as JSON, and where the next page starts. */
export interface Page<T> {
  items: T[];
  truncated: boolean;
  /** The key of the last item, when there is more. */
  cursor?: string;
}

export class PageBuilder<T> {
  readonly #items: T[] = [];
  #bytes = 0;
  #last: string | undefined;
  #full = false;

  constructor(
    readonly maxItems: number,
    readonly maxBytes: number,
  ) {}

  /** False: it did not fit, and nothing more will. */
  add(item: T, key: string): boolean {
    const bytes = JSON.stringify(item).length + 1;
    if (this.#items.length >= this.maxItems || (this.#bytes + bytes > this.maxBytes && this.#items.length > 0)) {
      this.#full = true;
      return false;
    }
    this.#items.push(item);
    this.#bytes += bytes;
    this.#last = key;
    return true;
  }

  page(): Page<T> {
    const items = this.#items;
    return this.#full && this.#last !== undefined
      ? { items, truncated: true, cursor: this.#last }
      : { items, truncated: this.#full };
  }
}
