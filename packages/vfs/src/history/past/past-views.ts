/** The past revisions that were last visited, so that a repeated visit is warm. */
import type { Version } from "../../api/file-system.ts";
import type { ReadView, VolumeStore } from "../../volume/views.ts";
import { PastView } from "./past-view.ts";

/** Revisions cached per volume; each gets this share of the cache's size. */
const MAX_VIEWS = 4;

export class PastViews {
  readonly #store: VolumeStore;
  /** By version: a revision may be reused after a rollback. The oldest visit first. */
  readonly #views = new Map<Version, PastView>();

  constructor(store: VolumeStore) {
    this.#store = store;
  }

  at(rev: number): PastView {
    const store = this.#store.ensureOpen();
    const version = store.revisions.format(rev);
    const view = this.#views.get(version) ?? new PastView(store, rev, version, store.limits.cacheBytes / MAX_VIEWS);
    this.#views.delete(version);
    this.#views.set(version, view);
    for (const oldest of this.#views.keys()) {
      if (this.#views.size <= MAX_VIEWS) break;
      this.#views.delete(oldest);
    }
    return view;
  }
}

/** Returns a view of the past; for a restricted view, under the same policies, by the paths at that time. */
export function pastView(present: ReadView, rev: number): ReadView {
  const { pastViews, restrictedViews } = present.store.services;
  return restrictedViews.applyTo(pastViews.at(rev), present);
}
