/**
 * One thing that entries of the log change: what a name means, or the bytes, mode or time of an inode. Entries are taken in newest
 * first; it then tells what the thing was before the chosen ones, and whether somebody else changed it after them.
 */
import type { ContentRef } from "../content/reader.ts";
import type { LogRow } from "../store/log-row.ts";

export class FieldChange<T> {
  /** Before anything is undone. */
  readonly now: T;
  #target: T;
  #touched = false;
  #conflict: LogRow | null = null;
  #oldest: LogRow | null = null;
  #newest: LogRow | null = null;
  /** The newest of somebody else's since the last chosen one. */
  #later: LogRow | null = null;
  /** Chosen entries with nobody else's between them: taken back together, so one that another of them reverses counts for nothing. */
  #run: { readonly after: T; readonly newest: LogRow; before: T; oldest: LogRow } | null = null;
  /** Before the entries taken in so far. */
  #state: T;

  /** `always`: to be set though it did not change, as a time that every change sets anew. */
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

  /** What it was before the oldest of the chosen entries. */
  get target(): T {
    this.#endRun();
    return this.#target;
  }

  get touched(): boolean {
    this.#endRun();
    return this.#touched;
  }

  /** The newest entry of somebody else, if it came after a chosen one and something of it is left. */
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

  /** Sets a target that no chosen entry asks for. */
  aim(target: T): void {
    this.#endRun();
    this.#target = target;
    this.#touched = true;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = null;
    if (run === null || (isEqual(run.before, run.after) && !this.#always)) return;
    // What others made of it they have taken back themselves: it is again what this run left, and nothing of theirs can be lost.
    if (this.#later !== null && !isEqual(run.after, this.#target)) this.#conflict ??= this.#later;
    this.#later = null;
    this.#target = run.before;
    this.#touched = true;
    this.#newest ??= run.newest;
    this.#oldest = run.oldest;
  }
}

/** Bytes are the same where they are the same row. */
function isEqual<T>(a: T, b: T): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  const [one, other] = [a, b] as unknown as [ContentRef, ContentRef];
  return one.content === other.content && one.size === other.size;
}
