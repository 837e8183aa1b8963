/** A page of an answer: as many items as fit both budgets, their number and their bytes as JSON, and where the next page starts. */
export interface Page<T> {
  items: T[];
  truncated: boolean;
  /** The key of the last item, when there is more. */
  cursor?: string;
}

export class PageBuilder<T> {
  readonly #items: T[] = [];
  /** As long as this cannot be over the budget, nothing is written as JSON to measure it. */
  #atMost = 0;
  #bytes: number | undefined;
  #last: string | undefined;
  #full = false;

  constructor(
    readonly maxItems: number,
    readonly maxBytes: number,
  ) {}

  /** False: it did not fit, and nothing more will. `atMost`: a bound of its bytes as JSON, where the caller has one for nothing. */
  add(item: T, key: string | undefined, atMost = -1): boolean {
    if (this.#items.length >= this.maxItems || !this.#hasRoom(item, atMost)) {
      this.#full = true;
      return false;
    }
    this.#items.push(item);
    this.#last = key;
    return true;
  }

  /** `last`: the key of the last item, where the caller keeps it. */
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

/** A bound of what a text takes as JSON. */
export function maxJsonBytes(text: string): number {
  return text.length * ESCAPED + 2;
}

/** Numbers and words are shorter than this. */
const OTHER = 30;

function maxBytes(value: unknown): number {
  if (typeof value === "string") return maxJsonBytes(value);
  if (typeof value !== "object" || value === null) return OTHER;
  let sum = 2;
  for (const key in value) sum += key.length * ESCAPED + 4 + maxBytes((value as Record<string, unknown>)[key]);
  return sum;
}
