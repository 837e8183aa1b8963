/**
 * The user's storage, as we use it. Two things are added to it: a notice when a transaction around ours is taken back, so that
 * memory never disagrees with the database; and the outermost commit, so that nobody is told of what may still be undone.
 */
export interface Rollbacks {
  /** Everything held in memory may be wrong now. */
  dropped(): void;
  /** The outermost transaction committed. */
  committed(): void;
}

export type SqlValue = string | number | null | ArrayBuffer | Uint8Array;
type RawRow = SqlStorageValue[];

export class Database {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #depth = 0;

  constructor(storage: DurableObjectStorage, rollbacks: Rollbacks) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#shadow(rollbacks);
  }

  get inTransaction(): boolean {
    return this.#depth > 0;
  }

  get bytes(): number {
    return this.#sql.databaseSize;
  }

  /** One statement that returns no rows; it is done when this returns. */
  run(sql: string, ...values: SqlValue[]): void {
    this.#sql.exec(sql, ...values);
  }

  /** As `run`; returns how many rows it wrote. */
  written(sql: string, ...values: SqlValue[]): number {
    return this.#sql.exec(sql, ...values).rowsWritten;
  }

  rows(sql: string, ...values: SqlValue[]): RawRow[] {
    return [...this.#sql.exec(sql, ...values).raw()] as RawRow[];
  }

  /** Row by row: another statement must wait until all have been taken. */
  eachRow(sql: string, ...values: SqlValue[]): Iterable<RawRow> {
    return this.#sql.exec(sql, ...values).raw() as Iterable<RawRow>;
  }

  row(sql: string, ...values: SqlValue[]): RawRow | undefined {
    for (const row of this.#sql.exec(sql, ...values).raw()) return row as RawRow;
    return undefined;
  }

  /** All of `body`, or nothing. Nothing in `body` may await. */
  atomically<T>(body: () => T): T {
    return this.#storage.transactionSync(body);
  }

  /** Shadows the storage's own methods: a user may roll back long after our verb returned. */
  #shadow(rollbacks: Rollbacks): void {
    const storage = this.#storage;
    const transaction = storage.transaction;
    const transactionSync = storage.transactionSync;
    const deleteAll = storage.deleteAll;
    const leave = (kept: boolean) => {
      this.#depth--;
      if (!kept) rollbacks.dropped();
      else if (this.#depth === 0) rollbacks.committed();
    };

    define(storage, "transactionSync", <T>(body: () => T): T => {
      this.#depth++;
      let kept = false;
      try {
        const result = transactionSync.call(storage, body) as T;
        kept = true;
        return result;
      } finally {
        leave(kept);
      }
    });

    define(storage, "transaction", async <T>(body: (txn: DurableObjectTransaction) => Promise<T>): Promise<T> => {
      this.#depth++;
      let kept = false;
      try {
        let rolledBack = false;
        const result = await transaction.call(storage, (txn: DurableObjectTransaction) => {
          const rollback = txn.rollback;
          define(txn, "rollback", () => {
            rolledBack = true;
            rollback.call(txn);
          });
          return body(txn);
        });
        kept = !rolledBack;
        return result as T;
      } finally {
        leave(kept);
      }
    });

    define(storage, "deleteAll", async (...args: Parameters<typeof deleteAll>): Promise<void> => {
      rollbacks.dropped();
      try {
        await deleteAll.apply(storage, args);
      } finally {
        rollbacks.dropped();
      }
    });
  }
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}
