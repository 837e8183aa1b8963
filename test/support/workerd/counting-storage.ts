/**
 * Counts what a Durable Object's storage is asked for, on the real storage: statements, rows read, rows written. Refuses SQL
 * text with several statements, values and rows beyond production's limits, which workerd does not enforce locally.
 */
const MAX_PARAMETERS = 100;
const MAX_VALUE_BYTES = 2_000_000;
const MAX_SQL_BYTES = 100_000;

export interface Cost {
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

export class Counter {
  #cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  readonly texts: string[] = [];

  /** Starts counting on this storage; stays for its life. */
  constructor(storage: DurableObjectStorage) {
    const { sql } = storage;
    const exec = sql.exec;
    Object.defineProperty(sql, "exec", {
      configurable: true,
      value: (text: string, ...values: SqlStorageValue[]) => {
        check(text, values);
        const cursor = exec.call(sql, text, ...values);
        this.#cursors.push(cursor);
        this.texts.push(text);
        return cursor;
      },
    });
  }

  /** What `body` cost. A cursor's counts are final only when it has been read, so they are summed afterwards. */
  async of(body: () => unknown): Promise<Cost> {
    this.#cursors = [];
    this.texts.length = 0;
    await body();
    const cost = { statements: this.#cursors.length, rowsRead: 0, rowsWritten: 0 };
    for (const cursor of this.#cursors) {
      cost.rowsRead += cursor.rowsRead;
      cost.rowsWritten += cursor.rowsWritten;
    }
    return cost;
  }
}

function check(text: string, values: readonly unknown[]): void {
  const bare = text.replace(/'(?:[^']|'')*'/g, "''").trimEnd();
  if (bare.replace(/;$/, "").includes(";")) throw new Error(`several statements in one exec: ${text}`);
  if (text.length > MAX_SQL_BYTES) throw new Error(`SQL text of ${text.length} bytes`);
  if (values.length > MAX_PARAMETERS) throw new Error(`${values.length} bound parameters: ${text.slice(0, 100)}`);
  for (const value of values) {
    const bytes =
      typeof value === "string" ? value.length : ((value as { byteLength?: number } | null)?.byteLength ?? 0);
    if (bytes > MAX_VALUE_BYTES) throw new Error(`a bound value of ${bytes} bytes: ${text.slice(0, 100)}`);
  }
}
