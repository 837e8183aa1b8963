/**
 * A view as a principal with a policy sees it. Hidden entries are absent from its tree and its cache, so for every verb they do not
 * exist. Changes that the policy does not allow are rejected where a mutation records them. Everything else is the view's own.
 */
import {
  checkPathPolicy,
  compilePathPolicy,
  PATH_POLICY_LIMITS,
  type PathPolicy,
  type PathRules,
} from "@workspace/glob";
import { FsError } from "../api/errors.ts";
import type { Limits } from "../api/limits.ts";
import type { MetadataView } from "../cache/metadata-cache.ts";
import type { Contents } from "../content/contents.ts";
import type { Mutation } from "../mutation/mutation.ts";
import type { Tree } from "../tree/tree.ts";
import type { OpenInodes } from "../volume/open-inodes.ts";
import type { ReadView, Revisions, VolumeListener, VolumeStore, WriteView } from "../volume/views.ts";
import { type PrivateFiles, withPrivateFiles } from "./private-files.ts";
import { RestrictedCache } from "./restricted-cache.ts";
import { restrictedTree } from "./restricted-tree.ts";

/** Views cached per volume: a host restricts with the same policy for every request. */
const MAX_VIEWS = 16;

/**
 * A view of a view can only narrow: all policies apply. The policy may come from the network. `files`: what the view shows of the
 * private directory; absent: as `view` does.
 */
export function restrictView(view: WriteView, given: PathPolicy, files?: PrivateFiles): WriteView {
  const restricted = view instanceof RestrictedView ? view : null;
  const policies = [...(restricted?.policies ?? []), checked(given)];
  if (policies.length > PATH_POLICY_LIMITS.depth)
    throw new FsError("EINVAL", { syscall: "restrict", reason: `at most ${PATH_POLICY_LIMITS.depth} policies` });
  return view.store.services.restrictedViews.present(policies, files ?? restricted?.privateFiles);
}

/** Returns the same view for another principal, with that principal's private files. */
export function withOwnFiles(view: WriteView, files: PrivateFiles): WriteView {
  return view instanceof RestrictedView ? view.store.services.restrictedViews.present(view.policies, files) : view;
}

/** The restricted views of one volume that were last used. */
export class RestrictedViews {
  readonly #store: VolumeStore;
  readonly #views = new Map<string, RestrictedWriteView>();
  /** Of past views, for as long as these are cached themselves. */
  readonly #pastViews = new WeakMap<ReadView, Map<string, RestrictedView>>();

  constructor(store: VolumeStore) {
    this.#store = store;
  }

  present(policies: readonly PathPolicy[], files?: PrivateFiles): WriteView {
    const store = this.#store;
    const view = cached(this.#views, keyOf(policies, files), () => new RestrictedWriteView(store, policies, files));
    return view.isRestricted ? view : store;
  }

  /** The policies of `present`, if it has any, on a past view. */
  applyTo(past: ReadView, present: ReadView): ReadView {
    if (!(present instanceof RestrictedView)) return past;
    const { policies, privateFiles } = present;
    const views = this.#pastViews.get(past) ?? new Map<string, RestrictedView>();
    this.#pastViews.set(past, views);
    return cached(views, keyOf(policies, privateFiles), () => new RestrictedView(past, policies, privateFiles));
  }
}

function keyOf(policies: readonly PathPolicy[], files: PrivateFiles | undefined): string {
  return JSON.stringify([policies, files?.key]);
}

/** The value of a key, which becomes the latest one; the oldest is dropped. */
function cached<View>(views: Map<string, View>, key: string, make: () => View): View {
  const view = views.get(key) ?? make();
  views.delete(key);
  views.set(key, view);
  for (const oldest of views.keys()) {
    if (views.size <= MAX_VIEWS) break;
    views.delete(oldest);
  }
  return view;
}

function checked(policy: unknown): PathPolicy {
  try {
    return checkPathPolicy(policy);
  } catch (error) {
    throw new FsError("EINVAL", { syscall: "restrict", reason: (error as Error).message, cause: error });
  }
}

export class RestrictedView implements ReadView {
  readonly policies: readonly PathPolicy[];
  readonly privateFiles: PrivateFiles | undefined;
  /** False: the policies hide nothing and allow every change. */
  readonly isRestricted: boolean;
  readonly rules: PathRules;
  readonly unrestricted: ReadView;
  readonly store: VolumeStore;
  readonly root: string;
  readonly limits: Limits;
  readonly cache: MetadataView;
  readonly tree: Tree;
  readonly contents: Contents;
  readonly revisions: Revisions;
  readonly handles: OpenInodes;

  constructor(view: ReadView, policies: readonly PathPolicy[], files?: PrivateFiles) {
    this.unrestricted = view;
    this.store = view.store;
    this.policies = policies;
    this.privateFiles = files;
    const rules = compilePathPolicy(policies, view.root);
    this.isRestricted = rules.hides || rules.limitsWrites;
    this.rules = files === undefined ? rules : withPrivateFiles(rules, files, view !== view.store);
    this.root = this.rules.root ?? view.root;
    this.limits = view.limits;
    this.contents = view.contents;
    this.revisions = view.revisions;
    this.handles = view.handles;
    if (this.rules.hides) {
      const cache = new RestrictedCache(view, this.rules);
      this.cache = cache;
      this.tree = restrictedTree(view.tree, cache);
    } else {
      this.cache = view.cache;
      this.tree = view.tree;
    }
  }

  ensureOpen(): this {
    this.unrestricted.ensureOpen();
    return this;
  }

  onCommit(listener: VolumeListener): () => void {
    return this.unrestricted.onCommit(listener);
  }
}

class RestrictedWriteView extends RestrictedView implements WriteView {
  commit(mutation: Mutation): void {
    this.store.commit(mutation);
  }
}
