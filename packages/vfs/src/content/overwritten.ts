/** Tracks the rows of a purged content that are overwritten with zeros before they are deleted. */
import type { Database } from "../db/database.ts";

/** Tracks which queued rows hold zeros, and whether that is committed. */
export class Overwritten {
  readonly #rows = new Map<number, boolean>();
  /** The last row of the current overwriting pass; rows are queued in no order, so there may be several passes. */
  last = 0;

  has(row: number): boolean {
    return this.#rows.has(row);
  }

  isCommitted(row: number): boolean {
    return this.#rows.get(row) === true;
  }

  add(rows: readonly number[]): void {
    for (const row of rows) this.#rows.set(row, false);
  }

  delete(rows: readonly number[]): void {
    for (const row of rows) this.#rows.delete(row);
  }

  clear(): void {
    this.#rows.clear();
    this.last = 0;
  }

  /** Await this between two steps. */
  async commit(db: Database): Promise<void> {
    if (this.#rows.size === 0) return;
    const rows = [...this.#rows].filter(([, committed]) => !committed);
    await db.sync();
    for (const [row] of rows) if (this.#rows.has(row)) this.#rows.set(row, true);
  }
}
