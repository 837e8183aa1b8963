/**
 * Schedules index builds: after a search that read much uncovered content, in the background, in small steps. Never by a write, and
 * never while a search waits for it. One at a time per volume; a failure costs the index, not the search.
 */

import { buildIndex } from "./build.ts";
import type { UnindexedContent } from "./hash-contents.ts";
import type { SearchIndex } from "./search-index.ts";

/** Uncovered content that a search must have read before an index pays off. */
const WORTHWHILE_BYTES = 2 * 1024 * 1024;
/** Content hashed for one search. */
const BUDGET_BYTES = 256 * 1024 * 1024;
const MAX_PENDING = 100_000;

/** Delay before a build: the search's answer goes out first, and its caller's immediate next requests. */
const FIRST_MS = 20;
/** How often a build that waits for searches polls, and how many times: a stream may stay open for long. */
const WAIT_MS = 5;
const WAITS = 400;

/** Contents that a search has read and the index does not cover. */
export class IndexBacklog {
  readonly #pending: UnindexedContent[] = [];
  #bytes = 0;

  add(pending: UnindexedContent): void {
    if (this.#pending.length >= MAX_PENDING) return;
    this.#pending.push(pending);
    this.#bytes += pending.size;
  }

  /** Whether an index of these would pay off. */
  get isWorthwhile(): boolean {
    return this.#bytes >= WORTHWHILE_BYTES;
  }

  get contents(): readonly UnindexedContent[] {
    return this.#pending;
  }
}

/** Builds the index of one volume in the background, one build at a time. */
export class BuildSchedule {
  readonly #index: SearchIndex;
  #running: Promise<void> | null = null;
  #searches = 0;

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /** Until the result is disposed nothing is built, so that a search does not compete with a build. */
  pause(): Disposable {
    this.#searches++;
    return { [Symbol.dispose]: () => void this.#searches-- };
  }

  /** Starts a build, if it is worthwhile and none is running. */
  schedule(backlog: IndexBacklog): void {
    if (!backlog.isWorthwhile || this.#running !== null) return;
    this.#running = this.#wait(FIRST_MS)
      .then(() => buildIndex(this.#index, backlog.contents, BUDGET_BYTES, () => this.#wait()))
      .then(
        () => {},
        () => {},
      )
      .finally(() => (this.#running = null));
  }

  /** Resolves when nothing is being built. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #wait(ms = 0): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    for (let waits = 0; waits < WAITS && this.#searches > 0; waits++)
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}
