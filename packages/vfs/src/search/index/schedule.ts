/**
 * When the index is built: after a search that had to look at much that was not covered, in the background, in small steps. Never
 * by a write, and never while a search waits for it. One at a time for each volume; a failure costs the index, not the search.
 */
import type { Volume } from "../../volume.ts";
import { buildIndex } from "./build.ts";
import type { UnindexedContent } from "./hash-contents.ts";

/** Uncovered content that a search must have seen before an index pays. */
const WORTHWHILE_BYTES = 2 * 1024 * 1024;
/** Content hashed for one search. */
const BUDGET_BYTES = 256 * 1024 * 1024;
const MAX_PENDING = 100_000;

/** Before a build begins: the answer of the search leaves first, and whatever its caller does with it at once. */
const FIRST_MS = 20;
/** How often a build that waits for searches looks again, and how many times: a stream may stay open for long. */
const WAIT_MS = 5;
const WAITS = 400;

const running = new WeakMap<Volume, Promise<void>>();
const searches = new WeakMap<Volume, number>();

/** While this is held, nothing is built: a search has the object to itself, as far as we are concerned. */
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

/** What a search has seen and the index does not cover. */
export class IndexBacklog {
  readonly #pending: UnindexedContent[] = [];
  #bytes = 0;

  add(pending: UnindexedContent): void {
    if (this.#pending.length >= MAX_PENDING) return;
    this.#pending.push(pending);
    this.#bytes += pending.size;
  }

  /** Starts to cover it, if that is worthwhile and nobody is at it. */
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
