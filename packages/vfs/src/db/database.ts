/**
 * Wraps the user's storage. It adds two notifications: rollbacks of enclosing transactions, so that memory never disagrees with the
 * database; and the outermost commit, so that listeners never see a change that may still be undone.
 */
export interface TransactionHooks {
  /** Everything cached in memory may be wrong now. */
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
  /** Callbacks that undo in-memory changes of open transactions, in the order of the changes. */
  #undo: (() => void)[] = [];

  constructor(storage: DurableObjectStorage, transactionHooks: TransactionHooks) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#transactionHooks = transactionHooks;
    this.#shadow(storage);
  }

  /** Another object for the same database: its transactions count as well, unless they are seen already. */
  shadow(storage: DurableObjectStorage): void {
    if (storage === this.#storage) return;
    const before = this.#depth;
    let seen = false;
    storage.transactionSync(() => {
      seen = this.#depth > before;
    });
    if (!seen) this.#shadow(storage);
  }

  /** Whether `other` uses the same connection: a setting that is changed temporarily here changes there too. */
  isSame(other: Database): boolean {
    const setting = (sql: SqlStorage) => [...sql.exec("PRAGMA recursive_triggers").raw()][0]?.[0];
    const set = (value: unknown) => void this.#sql.exec(`PRAGMA recursive_triggers = ${value === 1 ? 1 : 0}`);
    let there: unknown;
    try {
      there = setting(other.#sql);
    } catch {
      // `other` belongs to another object, which must not be accessed from this one, or to one that has ended.
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

  /** The largest size seen so far. The difference to the current size is free pages. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** Resolves when everything so far is committed. */
  sync(): Promise<void> {
    return this.#storage.sync();
  }

  /** There are no tables: reads find nothing, and `make` runs before the first statement that writes, in full or not at all. */
  awaitTables(make: () => void): void {
    this.#makeTables = make;
  }

  /** Runs one statement that returns no rows; it has completed when this returns. */
  run(sql: string, ...values: SqlValue[]): void {
    if (this.#deletesNothing(sql)) return;
    this.ensureTables();
    this.#sql.exec(sql, ...values);
  }

  /** As `run`; returns the number of rows written. */
  written(sql: string, ...values: SqlValue[]): number {
    if (this.#deletesNothing(sql)) return 0;
    this.ensureTables();
    return this.#sql.exec(sql, ...values).rowsWritten;
  }

  /** Without tables there is nothing to delete, and no reason to create them. */
  #deletesNothing(sql: string): boolean {
    return this.#makeTables !== null && sql.startsWith("DELETE");
  }

  rows(sql: string, ...values: SqlValue[]): RawRow[] {
    if (this.#makeTables !== null) return [];
    return [...this.#sql.exec(sql, ...values).raw()] as RawRow[];
  }

  /** Row by row: no other statement may run until all rows have been read. */
  eachRow(sql: string, ...values: SqlValue[]): Iterable<RawRow> {
    if (this.#makeTables !== null) return [];
    return this.#sql.exec(sql, ...values).raw() as Iterable<RawRow>;
  }

  row(sql: string, ...values: SqlValue[]): RawRow | undefined {
    if (this.#makeTables !== null) return undefined;
    for (const row of this.#sql.exec(sql, ...values).raw()) return row as RawRow;
    return undefined;
  }

  /** Runs `body` in full or not at all. `body` must not await. */
  transaction<T>(body: () => T): T {
    return this.#storage.transactionSync(body);
  }

  /** Forgets whether tables exist: a rollback may have removed them, or another writer may have created them. */
  forget(): void {
    this.#makeTables = null;
  }

  /** Call before the first of several statements, so that a failure here needs no rollback of them. */
  ensureTables(): void {
    const make = this.#makeTables;
    if (make === null) return;
    this.#makeTables = null;
    this.transaction(make);
  }

  /**
   * Call with each in-memory change that the database does not hold, so that a rollback of the enclosing transaction undoes it as
   * well. `undo` must not run a statement.
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
          // Code that runs between the rollback and the end of the transaction must not rely on what was rolled back.
          const rollBackNow = () => {
            rollback.call(txn);
            rolledBack = true;
            undoTo(undoCount);
            // Later changes stay.
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
