/**
 * Counts the cost of each kind of call: calls, time, rows read and written. Rows are those of all statements that ran during the
 * call; of overlapping calls, the one that began last gets them, except calls that only wait for others. Production's clock stands
 * still while code runs, so times there are waiting times only. Counts survive evictions: shortly after a call that changed
 * something, they are saved in one row (store/meter-row.ts), so concurrent calls share a save and a read writes nothing. A crash
 * before the save loses counts and nothing else.
 */
import { type MeterRow, saveMeter, selectMeter } from "./store/meter-row.ts";

export interface VerbUsage {
  kind: string;
  calls: number;
  errors: number;
  totalMs: number;
  maxMs: number;
  rowsRead: number;
  rowsWritten: number;
}

/** The cost of one client call, over all its verbs. */
export interface CallUsage {
  callId?: string;
  /** Of its last verb that wrote; of a call that only read, its first. */
  kind: string;
  ms: number;
  rowsRead: number;
  rowsWritten: number;
  /** For a call without an id: the first and the last revision that it made, between which its groups in the log begin. */
  revs?: { first: number; last: number };
}

/** One running verb: it counts for itself, then for its kind and its call. */
interface ActiveCall {
  cost: VerbUsage;
  waits: boolean;
  rowsRead: number;
  rowsWritten: number;
}

export interface MeasuredUsage {
  kind: string;
  callId?: string;
  /** Saved even if it wrote nothing. */
  saved?: boolean;
  /** It only waits for other calls. */
  waits?: boolean;
}

type AnyCursor = SqlStorageCursor<Record<string, SqlStorageValue>>;

/** Cursors whose counts are not final yet; a long call settles its oldest before it ends. */
const OPEN_CURSORS = 64;
/** Maximum number of calls with a recorded cost; the oldest are dropped. */
const RECENT_CALLS = 500;
const SAVE_AFTER_MS = 1000;

export class UsageMeter {
  readonly #startedMs = Date.now();
  readonly #sql: Pick<SqlStorage, "exec">;
  readonly #headRev: () => number;
  /** Since the row was last saved. */
  #costs = new Map<string, VerbUsage>();
  #recent = new Map<string, CallUsage>();
  readonly #running: ActiveCall[] = [];
  readonly #cursors: [AnyCursor, ActiveCall][] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  /** Counts every statement of this storage from now on. `headRev`: of the last change; it may open the workspace. */
  constructor(sql: SqlStorage, headRev: () => number) {
    const exec = sql.exec;
    this.#sql = { exec: exec.bind(sql) as SqlStorage["exec"] };
    this.#headRev = headRev;
    Object.defineProperty(sql, "exec", {
      configurable: true,
      value: (text: string, ...values: SqlStorageValue[]) => {
        const cursor = exec.call(sql, text, ...values) as AnyCursor;
        const tally = this.#running.findLast(({ waits }) => !waits) ?? this.#running.at(-1);
        if (tally !== undefined) this.#cursors.push([cursor, tally]);
        if (this.#cursors.length > OPEN_CURSORS) this.#settle(OPEN_CURSORS / 2);
        return cursor;
      },
    });
  }

  /** `failed`: whether the response is an error. */
  async measure<T>(what: MeasuredUsage, work: () => Promise<T>, failed: (result: T) => boolean): Promise<T> {
    const cost = costIn(this.#costs, what.kind);
    const tally: ActiveCall = { cost, waits: what.waits === true, rowsRead: 0, rowsWritten: 0 };
    const began = Date.now();
    this.#running.push(tally);
    const before = this.#revNow();
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
      const after = this.#revNow();
      const revs = before < after && !tally.waits ? { first: before + 1, last: after } : undefined;
      const { callId, kind } = what;
      const { rowsRead, rowsWritten } = tally;
      if (callId !== undefined) remember(this.#recent, { callId, kind, ms, rowsRead, rowsWritten });
      else if (revs !== undefined) remember(this.#recent, { kind, ms, rowsRead, rowsWritten, revs });
      if (revs !== undefined || what.saved) this.#saveSoon();
    }
  }

  /** All counts: kinds by descending cost, calls oldest first. */
  totals(): MeterRow {
    const retained = selectMeter(this.#sql);
    const costs = new Map(retained?.costs.map((cost) => [cost.kind, cost]));
    for (const fresh of this.#costs.values()) {
      const cost = costIn(costs, fresh.kind);
      for (const field of ["calls", "errors", "totalMs", "rowsRead", "rowsWritten"] as const)
        cost[field] += fresh[field];
      cost.maxMs = Math.max(cost.maxMs, fresh.maxMs);
    }
    const recent = new Map<string, CallUsage>();
    for (const call of [...(retained?.recent ?? []), ...this.#recent.values()]) remember(recent, call);
    return {
      sinceMs: retained?.sinceMs ?? this.#startedMs,
      costs: [...costs.values()].sort((a, b) => b.totalMs - a.totalMs || b.calls - a.calls),
      recent: [...recent.values()],
    };
  }

  /** Stops all saving. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #saveSoon(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(() => this.#save(), SAVE_AFTER_MS);
  }

  #save(): void {
    this.#timer = undefined;
    try {
      saveMeter(this.#sql, this.totals());
      // Running calls still count into the object they began with.
      const open = new Set(this.#running.map(({ cost }) => cost));
      for (const cost of open) Object.assign(cost, { ...NOTHING });
      this.#costs = new Map([...open].map((cost) => [cost.kind, cost]));
      this.#recent = new Map();
    } catch (error) {
      // Most likely a full disk: the counts stay in memory.
      console.error(error);
    }
  }

  /** For a workspace that cannot be opened: the call itself reports why. */
  #revNow(): number {
    try {
      return this.#headRev();
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  #settle(count: number): void {
    for (const [cursor, tally] of this.#cursors.splice(0, count)) {
      for (const counted of [tally, tally.cost]) {
        counted.rowsRead += cursor.rowsRead;
        counted.rowsWritten += cursor.rowsWritten;
      }
    }
  }
}

const NOTHING = { calls: 0, errors: 0, totalMs: 0, maxMs: 0, rowsRead: 0, rowsWritten: 0 } as const;

function costIn(costs: Map<string, VerbUsage>, kind: string): VerbUsage {
  const cost = costs.get(kind) ?? { kind, ...NOTHING };
  costs.set(kind, cost);
  return cost;
}

function remember(recent: Map<string, CallUsage>, call: CallUsage): void {
  const key = call.callId ?? `#${call.revs?.first}`;
  const known = recent.get(key);
  recent.delete(key);
  recent.set(key, known === undefined ? call : together(known, call));
  const [oldest] = recent.keys();
  if (recent.size > RECENT_CALLS && oldest !== undefined) recent.delete(oldest);
}

function together(known: CallUsage, more: CallUsage): CallUsage {
  const [one, other] = [known.revs, more.revs];
  return {
    ...known,
    ...(one && other && { revs: { first: one.first, last: Math.max(one.last, other.last) } }),
    kind: more.rowsWritten > 0 ? more.kind : known.kind,
    ms: known.ms + more.ms,
    rowsRead: known.rowsRead + more.rowsRead,
    rowsWritten: known.rowsWritten + more.rowsWritten,
  };
}
