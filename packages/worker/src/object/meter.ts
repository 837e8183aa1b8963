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

/** What one call of a client cost, all the verbs it used together. */
export interface CallCost {
  callId: string;
  /** Of its last verb that wrote; of one that only read, its first. */
  kind: string;
  ms: number;
  rowsRead: number;
  rowsWritten: number;
}

/** One verb that runs: it counts for itself, and then for its kind and its call. */
interface Tally {
  cost: Cost;
  rowsRead: number;
  rowsWritten: number;
}

type AnyCursor = SqlStorageCursor<Record<string, SqlStorageValue>>;

/** Cursors whose counts are not final yet; a long call settles its oldest before it ends. */
const OPEN_CURSORS = 64;
/** Calls whose cost is remembered; the oldest go. */
const RECENT_CALLS = 500;

export class Meter {
  readonly sinceMs = Date.now();
  readonly #costs = new Map<string, Cost>();
  readonly #recent = new Map<string, CallCost>();
  readonly #running: Tally[] = [];
  readonly #cursors: [AnyCursor, Tally][] = [];

  /** Counts every statement of this storage from now on. */
  constructor(sql: SqlStorage) {
    const exec = sql.exec;
    Object.defineProperty(sql, "exec", {
      configurable: true,
      value: (text: string, ...values: SqlStorageValue[]) => {
        const cursor = exec.call(sql, text, ...values) as AnyCursor;
        const tally = this.#running.at(-1);
        if (tally !== undefined) this.#cursors.push([cursor, tally]);
        if (this.#cursors.length > OPEN_CURSORS) this.#settle(OPEN_CURSORS / 2);
        return cursor;
      },
    });
  }

  /** `failed`: whether the answer is an error. */
  async measure<T>(
    { kind, callId }: { kind: string; callId?: string },
    work: () => Promise<T>,
    failed: (result: T) => boolean,
  ): Promise<T> {
    const cost = this.#costOf(kind);
    const tally: Tally = { cost, rowsRead: 0, rowsWritten: 0 };
    const began = Date.now();
    this.#running.push(tally);
    let error = true;
    try {
      const result = await work();
      error = failed(result);
      return result;
    } finally {
      this.#running.splice(this.#running.lastIndexOf(tally), 1);
      this.#settle(this.#cursors.length);
      const ms = Date.now() - began;
      cost.calls++;
      cost.errors += error ? 1 : 0;
      cost.totalMs += ms;
      cost.maxMs = Math.max(cost.maxMs, ms);
      if (callId !== undefined) this.#remember(callId, tally, ms);
    }
  }

  costs(): Cost[] {
    return [...this.#costs.values()].sort((a, b) => b.totalMs - a.totalMs || b.calls - a.calls);
  }

  /** Oldest first. */
  recent(): CallCost[] {
    return [...this.#recent.values()];
  }

  #remember(callId: string, { cost: { kind }, rowsRead, rowsWritten }: Tally, ms: number): void {
    const known = this.#recent.get(callId) ?? { callId, kind, ms: 0, rowsRead: 0, rowsWritten: 0 };
    this.#recent.delete(callId);
    this.#recent.set(callId, {
      callId,
      kind: rowsWritten > 0 ? kind : known.kind,
      ms: known.ms + ms,
      rowsRead: known.rowsRead + rowsRead,
      rowsWritten: known.rowsWritten + rowsWritten,
    });
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > RECENT_CALLS && oldest !== undefined) this.#recent.delete(oldest);
  }

  #settle(count: number): void {
    for (const [cursor, tally] of this.#cursors.splice(0, count)) {
      for (const counted of [tally, tally.cost]) {
        counted.rowsRead += cursor.rowsRead;
        counted.rowsWritten += cursor.rowsWritten;
      }
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
