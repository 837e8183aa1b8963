/** The waist between a name and the object it means: loose refs, packed-refs, symbolic refs, reflogs. */
import type { Signature } from "./object/signature.ts";
import type { Oid } from "./oid.ts";

export type RefValue =
  | { readonly kind: "oid"; readonly oid: Oid }
  | { readonly kind: "symbolic"; readonly target: string };

export interface Ref {
  /** Whole: "HEAD", "refs/heads/main". */
  readonly name: string;
  readonly oid: Oid;
  /** When it is symbolic: the ref it leads to. */
  readonly target?: string;
  /** From packed-refs, for an annotated tag: what it means in the end. */
  readonly peeled?: Oid;
}

export interface RefUpdate {
  readonly name: string;
  /** Null deletes. A string makes it symbolic. */
  readonly to: Oid | { readonly symbolic: string } | null;
  /** What it must be now: an id, or null for "must not exist". Absent: anything. */
  readonly from?: Oid | null;
  /** Write the symbolic ref itself, not what it leads to (`--no-deref`). */
  readonly noDeref?: boolean;
  /** For the reflog; absent: no entry unless one is forced. */
  readonly message?: string;
  /** Begin a reflog whatever the configuration says (`--create-reflog`). */
  readonly createReflog?: boolean;
}

export interface ListRefsOptions {
  /** Called for each ref that cannot be told (a name that is none, no object id); default a warning. */
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
  /** Nothing changes, and the locks are gone. */
  abort(): Promise<void>;
}

export interface RefStore {
  /** One step, not followed. */
  read(name: string): Promise<RefValue | null>;
  /** Followed to the end: `name` is the last ref, `oid` null when that one is unborn. Null: no such ref. */
  resolve(name: string): Promise<{ readonly name: string; readonly oid: Oid | null } | null>;
  /** In byte order of names; only those that resolve. `prefix` such as "refs/heads/". */
  list(prefix?: string, options?: ListRefsOptions): Promise<Ref[]>;
  /** All or none, `from` checked under locks, with reflog entries by `who`. Objects must have been written before. */
  update(updates: readonly RefUpdate[], who: Signature): Promise<void>;
  /** As `update`, in two steps: everything is locked and checked now, and changed by `commit`. One of the two ends it. */
  prepare(updates: readonly RefUpdate[]): Promise<PreparedUpdate>;
  /** Newest last, as in the file; empty when there is none. */
  reflog(name: string): Promise<ReflogEntry[]>;
  hasReflog(name: string): Promise<boolean>;
  /** Every name that has a reflog, whether or not there still is such a ref; in byte order. */
  reflogNames(): Promise<string[]>;
  /** Locks the ref meanwhile: ELOCKED when somebody holds it. */
  writeReflog(name: string, entries: readonly ReflogEntry[]): Promise<void>;
  /** Moves value and reflog; for `branch -m`. */
  rename(from: string, to: string, who: Signature, message: string): Promise<void>;
  /** As `rename`, and the old one stays; for `branch -c`. */
  copy?(from: string, to: string, who: Signature, message: string): Promise<void>;
}
