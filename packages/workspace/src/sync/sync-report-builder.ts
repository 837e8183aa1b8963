/** The outcome of one or several syncs, collected for the result of their command. */
import { SYNC_LIMITS } from "@workspace/protocol";
import type { SyncReport } from "@workspace/shell";

export class SyncReportBuilder {
  readonly pushed = { entries: 0, bytes: 0 };
  readonly pulled = { entries: 0, bytes: 0 };
  durationMs = 0;
  readonly #skipped = new Map<string, string>();
  readonly #conflicts = new Map<string, string>();
  #more = 0;

  skip(path: string, reason: string): void {
    if (this.#skipped.has(path) || this.#skipped.size < SYNC_LIMITS.reportItems) this.#skipped.set(path, reason);
    else this.#more++;
  }

  conflict(path: string, keptAt: string): void {
    this.#conflicts.set(`${path}\0${keptAt}`, keptAt);
  }

  /** Adds everything from another report. */
  add(other: SyncReportBuilder): void {
    this.addDone(other);
    for (const [path, reason] of other.#skipped) this.skip(path, reason);
    this.#more += other.#more;
  }

  /** Adds what was done, and not what was left: a later sync has checked that again. */
  addDone(other: SyncReportBuilder): void {
    for (const direction of ["pushed", "pulled"] as const) {
      this[direction].entries += other[direction].entries;
      this[direction].bytes += other[direction].bytes;
    }
    this.durationMs += other.durationMs;
    for (const [key, keptAt] of other.#conflicts) this.#conflicts.set(key, keptAt);
  }

  toReport(): SyncReport {
    const skipped = [...this.#skipped].map(([path, reason]) => ({ path, reason }));
    if (this.#more > 0) skipped.push({ path: "", reason: `${this.#more} more paths were skipped` });
    return {
      pushed: { ...this.pushed },
      pulled: { ...this.pulled },
      durationMs: this.durationMs,
      skipped,
      conflicts: [...this.#conflicts].map(([key, keptAt]) => ({ path: key.slice(0, key.indexOf("\0")), keptAt })),
    };
  }
}
