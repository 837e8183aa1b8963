/** A past revision: limits, contents and search index of the present, over a `PastTree` with a cache of its own. */
import type { Version } from "../../api/file-system.ts";
import type { Limits } from "../../api/limits.ts";
import { MetadataCache } from "../../cache/metadata-cache.ts";
import type { Contents } from "../../content/contents.ts";
import { lazyTree, type Tree } from "../../tree/tree.ts";
import { OpenInodes } from "../../volume/open-inodes.ts";
import type { ReadView, Revisions, VolumeStore } from "../../volume/views.ts";
import { PastTree } from "./past-tree.ts";
import { goneBefore } from "./point-in-time.ts";

export class PastView implements ReadView {
  readonly store: VolumeStore;
  readonly root: string;
  readonly limits: Limits;
  readonly rules = null;
  readonly tree: Tree;
  readonly cache: MetadataCache;
  readonly contents: Contents;
  readonly revisions: Revisions;
  /** Separate from the cache of the present, where the same inode may have other names and other bytes. */
  readonly handles = new OpenInodes();
  readonly unrestricted = this;
  readonly #version: Version;
  #checked = -1;

  constructor(store: VolumeStore, rev: number, version: Version, cacheBytes: number) {
    this.#version = version;
    this.store = store;
    this.root = store.root;
    this.limits = { ...store.limits, cacheBytes };
    this.contents = store.contents;
    this.revisions = pastRevisions(store.revisions, rev);
    // A workspace before its first write stays empty at that revision; a rollback may return to it.
    const past = new PastTree(store.db, rev);
    this.tree = lazyTree(() => store.pristine?.tree ?? past);
    this.cache = new MetadataCache(this.tree, this.limits);
  }

  /** The past does not change, but it can be trimmed or purged, or its transaction rolled back. */
  ensureOpen(): this {
    const { store, revisions } = this;
    store.ensureOpen();
    if (this.#checked === revisions.generation) return this;
    revisions.parse(this.#version, "open");
    if (revisions.head < revisions.oldest) throw goneBefore(store, "open", this.#version);
    this.cache.drop();
    this.#checked = revisions.generation;
    return this;
  }

  /** No further changes occur here. */
  onCommit(): () => void {
    return () => {};
  }
}

function pastRevisions(present: Revisions, rev: number): Revisions {
  return {
    head: rev,
    get oldest() {
      return present.oldest;
    },
    get generation() {
      return present.generation;
    },
    // No change of the present changes the past, but a rollback or a purge may.
    get stamp() {
      return `${rev}.${present.generation}`;
    },
    format: (other) => present.format(other),
    parse: (version, syscall) => present.parse(version, syscall),
  };
}
