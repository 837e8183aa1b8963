/**
 * Schedules index builds: after a search that read much uncovered content, in the background, in small steps. Never by a write, and
 * never while a search waits for it. One at a time per volume; a failure costs the index, not the search.
 */
import type { Volume } from "../../volume/volume.ts";
import { buildIndex } from "./build.ts";
import type { UnindexedContent } from "./hash-contents.ts";

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

const running = new WeakMap<Volume, Promise<void>>();
const searches = new WeakMap<Volume, number>();

/** While this is held, nothing is built, so that a search does not compete with a build. */
export function pauseIndexing({ live: volume }: Volume): Disposable {
  const change = (by: number) => searches.set(volume, (searches.get(volume) ?? 0) + by);
  change(1);
  return { [Symbol.dispose]: () => void change(-1) };
}

async function pause(volume: Volume, ms = 0): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  for (let waits = 0; waits < WAITS && (searches.get(volume) ?? 0) > 0; waits++)
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}

/** Contents that a search has read and the index does not cover. */
export class IndexBacklog {
  readonly #pending: UnindexedContent[] = [];
  #bytes = 0;

  add(pending: UnindexedContent): void {
    if (this.#pending.length >= MAX_PENDING) return;
    this.#pending.push(pending);
    this.#bytes += pending.size;
  }

  /** Starts a build, if it is worthwhile and none is running. */
  scheduleBuild({ live: volume }: Volume): void {
    if (this.#bytes < WORTHWHILE_BYTES || running.has(volume)) return;
    const work = pause(volume, FIRST_MS)
      .then(() => buildIndex(volume, this.#pending, BUDGET_BYTES, () => pause(volume)))
      .catch(() => {})
      .then(() => void running.delete(volume));
    running.set(volume, work);
  }
}

/** Resolves when nothing is being built; for tests and measurements. */
export async function indexIdle({ live: volume }: Volume): Promise<void> {
  await running.get(volume);
}
