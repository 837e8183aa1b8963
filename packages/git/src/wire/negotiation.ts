/**
 * Chooses which of our commits to offer, newest first, until the server is ready: an acknowledged commit is common, and nothing
 * below it is offered again. git's "consecutive" algorithm.
 */
import type { Oid } from "../object/oid.ts";
import { type CommitRepository, commitReader } from "../revision/commit-node.ts";

interface Have {
  readonly oid: Oid;
  readonly time: number;
  readonly parents: readonly Oid[];
}

/** Fruitless offers before git stops negotiating and fetches more than it needs. */
export const MAX_IN_VAIN = 256;
export const FIRST_BATCH = 16;
export const MAX_BATCH = 1024;

export class Negotiation {
  readonly #reader: ReturnType<typeof commitReader>;
  readonly #queue: Have[] = [];
  readonly #seen = new Set<Oid>();
  readonly common = new Set<Oid>();

  constructor(repo: CommitRepository) {
    this.#reader = commitReader(repo);
  }

  /** Adds a tip of ours; skips missing objects and those that are not commits. */
  async add(oid: Oid): Promise<void> {
    if (this.#seen.has(oid)) return;
    this.#seen.add(oid);
    const node = await this.#reader.find(oid);
    if (node === null) return;
    const offer = { oid, time: node.seconds, parents: node.parents };
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#queue[middle] as Have).time < offer.time) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, offer);
  }

  /** The next commits to offer, at most this many; empty: none are left. */
  async next(max: number): Promise<Oid[]> {
    const offers: Oid[] = [];
    while (offers.length < max) {
      const offer = this.#queue.pop();
      if (offer === undefined) break;
      const isCommon = this.common.has(offer.oid);
      if (!isCommon) offers.push(offer.oid);
      for (const parent of offer.parents) {
        if (isCommon) this.common.add(parent);
        await this.add(parent);
      }
    }
    return offers;
  }
}
