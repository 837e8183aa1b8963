/**
 * What each kind of call costs: how many, how long, rows read and written. Kept in memory for the life of the object. Rows are those
 * of all statements that ran while the call did; calls that overlap share them by who began last. Production's clock stands still
 * while code runs, so times there are of waiting alone.
 */
export interface Cost {
  kind: string;
  calls: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  rowsRead: number;
  rowsWritten: number;
}

type AnyCursor = SqlStorageCursor<Record<string, SqlStorageValue>>;

/** Cursors whose counts are not final yet; a long call settles its oldest before it ends. */
const OPEN_CURSORS = 64;

export class Meter {
  readonly sinceMs = Date.now();
  readonly #costs = new Map<string, Cost>();
  readonly #running: Cost[] = [];
  readonly #cursors: [AnyCursor, Cost][] = [];

  /** Counts every statement of this storage from now on. */
  constructor(sql: SqlStorage) {
    const exec = sql.exec;
    Object.defineProperty(sql, "exec", {
      configurable: true,
      value: (text: string, ...values: SqlStorageValue[]) => {
        const cursor = exec.call(sql, text, ...values) as AnyCursor;
        const cost = this.#running.at(-1);
        if (cost !== undefined) this.#cursors.push([cursor, cost]);
        if (this.#cursors.length > OPEN_CURSORS) this.#settle(OPEN_CURSORS / 2);
        return cursor;
      },
    });
  }

  /** `failed`: whether the answer is an error. */
  async measure<T>(kind: string, work: () => Promise<T>, failed: (result: T) => boolean): Promise<T> {
    const cost = this.#costOf(kind);
    const began = Date.now();
    this.#running.push(cost);
    let error = true;
    try {
      const result = await work();
      error = failed(result);
      return result;
    } finally {
      this.#running.splice(this.#running.lastIndexOf(cost), 1);
      this.#settle(this.#cursors.length);
      const ms = Date.now() - began;
      cost.calls++;
      cost.errors += error ? 1 : 0;
      cost.totalMs += ms;
      cost.maxMs = Math.max(cost.maxMs, ms);
    }
  }

  costs(): Cost[] {
    return [...this.#costs.values()].sort((a, b) => b.totalMs - a.totalMs || b.calls - a.calls);
  }

  #settle(count: number): void {
    for (const [cursor, cost] of this.#cursors.splice(0, count)) {
      cost.rowsRead += cursor.rowsRead;
      cost.rowsWritten += cursor.rowsWritten;
    }
  }

  #costOf(kind: string): Cost {
    const known = this.#costs.get(kind);
    if (known !== undefined) return known;
    const cost = { kind, calls: 0, errors: 0, totalMs: 0, maxMs: 0, rowsRead: 0, rowsWritten: 0 };
    this.#costs.set(kind, cost);
    return cost;
  }
}
