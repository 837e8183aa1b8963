/** A page of a result: as many items as fit both budgets, count and JSON bytes, and the cursor of the next page. */
export interface Page<T> {
  items: T[];
  truncated: boolean;
  /** The key of the last item, if there are more. */
  cursor?: string;
}

export class PageBuilder<T> {
  readonly #items: T[] = [];
  /** While this upper bound is within the budget, nothing is serialized to measure it. */
  #atMost = 0;
  #bytes: number | undefined;
  #last: string | undefined;
  #full = false;

  constructor(
    readonly maxItems: number,
    readonly maxBytes: number,
  ) {}

  /**
   * False: it did not fit, and the page is closed. `atMost`: an upper bound of its JSON bytes, if the caller has one at no cost.
   */
  add(item: T, key: string | undefined, atMost = -1): boolean {
    if (this.#items.length >= this.maxItems || !this.#hasRoom(item, atMost)) {
      this.#full = true;
      return false;
    }
    this.#items.push(item);
    this.#last = key;
    return true;
  }

  /** `last`: the key of the last item, if the caller tracks it. */
  page(last = this.#last): Page<T> {
    const items = this.#items;
    return this.#full && last !== undefined
      ? { items, truncated: true, cursor: last }
      : { items, truncated: this.#full };
  }

  #hasRoom(item: T, atMost: number): boolean {
    if (this.#bytes === undefined) {
      this.#atMost += (atMost < 0 ? maxBytes(item) : atMost) + 1;
      if (this.#atMost <= this.maxBytes) return true;
      this.#bytes = this.#items.reduce((sum, one) => sum + JSON.stringify(one).length + 1, 0);
    }
    const bytes = JSON.stringify(item).length + 1;
    if (this.#bytes + bytes > this.maxBytes && this.#items.length > 0) return false;
    this.#bytes += bytes;
    return true;
  }
}

/** An escape takes six characters. */
export const ESCAPED = 6;

/** An upper bound of a text's JSON bytes. */
export function maxJsonBytes(text: string): number {
  return text.length * ESCAPED + 2;
}

/** Upper bound for numbers and literals. */
const OTHER = 30;

function maxBytes(value: unknown): number {
  if (typeof value === "string") return maxJsonBytes(value);
  if (typeof value !== "object" || value === null) return OTHER;
  let sum = 2;
  for (const key in value) sum += key.length * ESCAPED + 4 + maxBytes((value as Record<string, unknown>)[key]);
  return sum;
}
