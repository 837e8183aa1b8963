/** Interface between ref names and objects: loose refs, packed-refs, symbolic refs, reflogs. */

import type { Oid } from "../object/oid.ts";
import type { Signature } from "../object/signature.ts";

export type RefValue =
  | { readonly kind: "oid"; readonly oid: Oid }
  | { readonly kind: "symbolic"; readonly target: string };

export interface Ref {
  /** Full name: "HEAD", "refs/heads/main". */
  readonly name: string;
  readonly oid: Oid;
  /** For a symbolic ref: its target. */
  readonly target?: string;
  /** From packed-refs, for an annotated tag: the peeled object. */
  readonly peeled?: Oid;
}

export interface RefUpdate {
  readonly name: string;
  /** Null deletes. A string makes it symbolic. */
  readonly to: Oid | { readonly symbolic: string } | null;
  /** Required current value: an id, or null for "must not exist". Absent: any. */
  readonly from?: Oid | null;
  /** Write the symbolic ref itself, not its target (`--no-deref`). */
  readonly noDeref?: boolean;
  /** Reflog message; absent: no entry unless one is forced. */
  readonly message?: string;
  /** Create a reflog whatever the configuration says (`--create-reflog`). */
  readonly createReflog?: boolean;
}

export interface ListRefsOptions {
  /** Called for each broken ref (invalid name or object id); default a warning. */
  readonly broken?: (name: string) => void;
}

export interface ReflogEntry {
  readonly from: Oid;
  readonly to: Oid;
  readonly who: Signature;
  readonly message: string;
}

export interface PreparedUpdate {
  commit(who: Signature): Promise<void>;
  /** Rolls back: nothing changes, and the locks are released. */
  abort(): Promise<void>;
}

export interface RefStore {
  /** Resolves one step only. */
  read(name: string): Promise<RefValue | null>;
  /** Resolves fully: `name` is the last ref, `oid` null if that one is unborn. Null: no such ref. */
  resolve(name: string): Promise<{ readonly name: string; readonly oid: Oid | null } | null>;
  /** In byte order of names; only those that resolve. `prefix` such as "refs/heads/". */
  list(prefix?: string, options?: ListRefsOptions): Promise<Ref[]>;
  /** Atomic: `from` is checked under locks; reflog entries are by `who`. Objects must be written before. */
  update(updates: readonly RefUpdate[], who: Signature): Promise<void>;
  /**
   * As `update`, in two phases: locks and checks everything now; `commit` applies it. The caller must end it with one of
   * the two methods.
   */
  prepare(updates: readonly RefUpdate[]): Promise<PreparedUpdate>;
  /** Newest last, as in the file; empty when there is none. */
  reflog(name: string): Promise<ReflogEntry[]>;
  hasReflog(name: string): Promise<boolean>;
  /** Every name that has a reflog, even if the ref no longer exists; in byte order. */
  reflogNames(): Promise<string[]>;
  /** Locks the ref meanwhile: ELOCKED if the lock is held. */
  writeReflog(name: string, entries: readonly ReflogEntry[]): Promise<void>;
  /** Moves value and reflog; for `branch -m`. */
  rename(from: string, to: string, who: Signature, message: string): Promise<void>;
  /** As `rename`, but keeps the old ref; for `branch -c`. */
  copy(from: string, to: string, who: Signature, message: string): Promise<void>;
}
