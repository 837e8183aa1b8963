/**
 * The oldest entry of the log and the oldest pinned snapshot, cached in memory: every commit checks whether the log exceeds its
 * retention, and that must not cost a statement.
 */
import type { Database } from "../db/database.ts";
import { selectLogTail, type TailEntry } from "../store/log.ts";
import { selectPinnedRev } from "../store/snapshots.ts";

export class LogTail {
  readonly #db: Database;
  #entry: TailEntry | null | undefined;
  #pinnedRev: number | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Null when the log is empty. */
  get entry(): TailEntry | null {
    if (this.#entry === undefined) this.#entry = selectLogTail(this.#db);
    return this.#entry;
  }

  /** A pinned snapshot needs every entry after this revision; infinite when nothing is pinned. */
  get pinnedRev(): number {
    this.#pinnedRev ??= selectPinnedRev(this.#db) ?? Number.POSITIVE_INFINITY;
    return this.#pinnedRev;
  }

  /** Call when entries were added at the other end. */
  grown(): void {
    if (this.#entry === null) this.#entry = undefined;
  }

  forget(): void {
    this.#entry = undefined;
    this.#pinnedRev = undefined;
  }
}
