/**
 * One field that entries of the log change: the target of a name, or the bytes, mode or time of an inode. Entries are added newest
 * first. The result is its value before the chosen entries, and whether another change came after them.
 */
import type { ContentRef } from "../../content/reader.ts";
import type { LogRow } from "../../store/log-row.ts";

export class FieldChange<T> {
  /** The value before anything is undone. */
  readonly now: T;
  #target: T;
  #touched = false;
  #conflict: LogRow | null = null;
  #oldest: LogRow | null = null;
  #newest: LogRow | null = null;
  /** The newest foreign entry since the last chosen one. */
  #later: LogRow | null = null;
  /** Consecutive chosen entries: reverted together, so entries that cancel each other out count for nothing. */
  #run: { readonly after: T; readonly newest: LogRow; before: T; oldest: LogRow } | null = null;
  /** The value before the entries added so far. */
  #state: T;

  /** `always`: set even if unchanged, as for a time that every change updates. */
  readonly #always: boolean;

  constructor(now: T, { always = false }: { always?: boolean } = {}) {
    this.#always = always;
    this.now = now;
    this.#target = now;
    this.#state = now;
  }

  take(entry: LogRow, chosen: boolean, before: T): void {
    if (!chosen) {
      this.#endRun();
      this.#later ??= entry;
    } else if (this.#run === null) this.#run = { after: this.#state, newest: entry, before, oldest: entry };
    else Object.assign(this.#run, { before, oldest: entry });
    this.#state = before;
  }

  /** The value before the oldest of the chosen entries. */
  get target(): T {
    this.#endRun();
    return this.#target;
  }

  get touched(): boolean {
    this.#endRun();
    return this.#touched;
  }

  /** The newest foreign entry, if it came after a chosen one and still has an effect. */
  get conflict(): LogRow | null {
    this.#endRun();
    return this.#conflict;
  }

  /** The oldest and the newest of the chosen entries. */
  get oldest(): LogRow | null {
    this.#endRun();
    return this.#oldest;
  }

  get newest(): LogRow | null {
    this.#endRun();
    return this.#newest;
  }

  /** Sets a target that no chosen entry implies. */
  aim(target: T): void {
    this.#endRun();
    this.#target = target;
    this.#touched = true;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = null;
    if (run === null || (isEqual(run.before, run.after) && !this.#always)) return;
    // Later changes by others were already reverted: the value is again what this run left, so reverting it loses nothing of
    // theirs.
    if (this.#later !== null && !isEqual(run.after, this.#target)) this.#conflict ??= this.#later;
    this.#later = null;
    this.#target = run.before;
    this.#touched = true;
    this.#newest ??= run.newest;
    this.#oldest = run.oldest;
  }
}

/** Bytes are equal if they are the same row. */
function isEqual<T>(a: T, b: T): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  const [one, other] = [a, b] as unknown as [ContentRef, ContentRef];
  return one.content === other.content && one.size === other.size;
}
