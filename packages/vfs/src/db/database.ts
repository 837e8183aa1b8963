/**
 * The user's storage, as we use it. Two things are added to it: a notice when a transaction around ours is taken back, so that
 * memory never disagrees with the database; and the outermost commit, so that nobody is told of what may still be undone.
 */
export interface TransactionHooks {
  /** Everything held in memory may be wrong now. */
  onRollback(): void;
  /** The outermost transaction committed. */
  committed(): void;
}

export type SqlValue = string | number | null | ArrayBuffer | Uint8Array;
type RawRow = SqlStorageValue[];

export class Database {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #transactionHooks: TransactionHooks;
  #depth = 0;
  #peakBytes = 0;
  #makeTables: (() => void) | null = null;
  /** What undoes changes of memory that open transactions made, in the order of the changes. */
  #undo: (() => void)[] = [];

  constructor(storage: DurableObjectStorage, transactionHooks: TransactionHooks) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#transactionHooks = transactionHooks;
    this.#shadow(storage);
  }

  /** Another object that leads to the same database: its transactions count as well, unless they are seen already. */
  shadow(storage: DurableObjectStorage): void {
    if (storage === this.#storage) return;
    const before = this.#depth;
    let seen = false;
    storage.transactionSync(() => {
      seen = this.#depth > before;
    });
    if (!seen) this.#shadow(storage);
  }

  /** Whether `other` leads to the same connection: a setting that is turned round here for a moment is turned round there. */
  isSame(other: Database): boolean {
    const setting = (sql: SqlStorage) => [...sql.exec("PRAGMA recursive_triggers").raw()][0]?.[0];
    const set = (value: unknown) => void this.#sql.exec(`PRAGMA recursive_triggers = ${value === 1 ? 1 : 0}`);
    let there: unknown;
    try {
      there = setting(other.#sql);
    } catch {
      // Of another object, which is not to be touched from this one, or of one that has ended.
      return false;
    }
    const here = setting(this.#sql);
    if (here !== there) return false;
    set(here === 1 ? 0 : 1);
    try {
      return setting(other.#sql) !== there;
    } finally {
      set(here);
    }
  }

  get inTransaction(): boolean {
    return this.#depth > 0;
  }

  get bytes(): number {
    const { databaseSize } = this.#sql;
    this.#peakBytes = Math.max(this.#peakBytes, databaseSize);
    return databaseSize;
  }

  /** The largest size that was seen: what is missing from it now are free pages. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** Resolves when everything so far is committed. */
  sync(): Promise<void> {
    return this.#storage.sync();
  }

  /** There are no tables: reads find nothing, and the first statement that writes is preceded by `make`, all of it or nothing. */
  awaitTables(make: () => void): void {
    this.#makeTables = make;
  }

  /** One statement that returns no rows; it is done when this returns. */
  run(sql: string, ...values: SqlValue[]): void {
    if (this.#deletesNothing(sql)) return;
    this.ensureTables();
    this.#sql.exec(sql, ...values);
  }

  /** As `run`; returns how many rows it wrote. */
  written(sql: string, ...values: SqlValue[]): number {
    if (this.#deletesNothing(sql)) return 0;
    this.ensureTables();
    return this.#sql.exec(sql, ...values).rowsWritten;
  }

  /** Where there are no tables, there is nothing to delete, and no reason to make them. */
  #deletesNothing(sql: string): boolean {
    return this.#makeTables !== null && sql.startsWith("DELETE");
  }

  rows(sql: string, ...values: SqlValue[]): RawRow[] {
    if (this.#makeTables !== null) return [];
    return [...this.#sql.exec(sql, ...values).raw()] as RawRow[];
  }

  /** Row by row: another statement must wait until all have been taken. */
  eachRow(sql: string, ...values: SqlValue[]): Iterable<RawRow> {
    if (this.#makeTables !== null) return [];
    return this.#sql.exec(sql, ...values).raw() as Iterable<RawRow>;
  }

  row(sql: string, ...values: SqlValue[]): RawRow | undefined {
    if (this.#makeTables !== null) return undefined;
    for (const row of this.#sql.exec(sql, ...values).raw()) return row as RawRow;
    return undefined;
  }

  /** All of `body`, or nothing. Nothing in `body` may await. */
  transaction<T>(body: () => T): T {
    return this.#storage.transactionSync(body);
  }

  /** Forgets what was said of tables: a rollback may have taken them, or another may have made them. */
  forget(): void {
    this.#makeTables = null;
  }

  /** Before the first of several statements, so that a failure here needs no undoing of them. */
  ensureTables(): void {
    const make = this.#makeTables;
    if (make === null) return;
    this.#makeTables = null;
    this.transaction(make);
  }

  /**
   * Call it with each change of memory that the database does not hold, so that a rollback of the transaction around it takes the
   * change back as well. `undo` must not run a statement.
   */
  onRollback(undo: () => void): void {
    if (this.#depth > 0) this.#undo.push(undo);
  }

  /** Shadows the storage's own methods: a user may roll back long after our verb returned. */
  #shadow(storage: DurableObjectStorage): void {
    const rollbacks = this.#transactionHooks;
    const transaction = storage.transaction;
    const transactionSync = storage.transactionSync;
    const deleteAll = storage.deleteAll;
    const undoTo = (count: number) => {
      for (const undo of this.#undo.splice(count).reverse()) undo();
      rollbacks.onRollback();
    };
    const leave = (committed: boolean, undoCount: number) => {
      this.#depth--;
      if (!committed) undoTo(undoCount);
      if (this.#depth > 0) return;
      this.#undo = [];
      if (committed) rollbacks.committed();
    };

    define(storage, "transactionSync", <T>(body: () => T): T => {
      const undoCount = this.#undo.length;
      this.#depth++;
      let committed = false;
      try {
        const result = transactionSync.call(storage, body) as T;
        committed = true;
        return result;
      } finally {
        leave(committed, undoCount);
      }
    });

    define(storage, "transaction", async <T>(body: (txn: DurableObjectTransaction) => Promise<T>): Promise<T> => {
      let undoCount = this.#undo.length;
      this.#depth++;
      let committed = false;
      try {
        let rolledBack = false;
        const result = await transaction.call(storage, async (txn: DurableObjectTransaction) => {
          const rollback = txn.rollback;
          // Whoever runs between the rollback and the end of the transaction must not rely on what was taken back.
          const rollBackNow = () => {
            rollback.call(txn);
            rolledBack = true;
            undoTo(undoCount);
            // What comes after it stays.
            undoCount = Number.POSITIVE_INFINITY;
          };
          define(txn, "rollback", rollBackNow);
          try {
            return await body(txn);
          } catch (error) {
            // The storage would roll back itself, but some turns later. It refuses while a nested transaction is still running.
            try {
              if (!rolledBack) rollBackNow();
            } catch {}
            throw error;
          }
        });
        committed = !rolledBack;
        return result as T;
      } finally {
        leave(committed, undoCount);
      }
    });

    define(storage, "deleteAll", async (...args: Parameters<typeof deleteAll>): Promise<void> => {
      rollbacks.onRollback();
      try {
        await deleteAll.apply(storage, args);
      } finally {
        rollbacks.onRollback();
      }
    });
  }
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}
