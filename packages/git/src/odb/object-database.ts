/** Interface between object ids and storage: loose files, packs, alternates, or a promisor remote. */
import type { WorkBudget } from "@workspace/protocol";
import type { GitLimits } from "../limits.ts";
import type { Oid } from "../object/oid.ts";

export type ObjectType = "commit" | "tree" | "blob" | "tag";

export interface GitObject {
  readonly type: ObjectType;
  readonly body: Uint8Array;
}

export interface ObjectHeader {
  readonly type: ObjectType;
  readonly size: number;
}

export interface ReadObject {
  readonly oid: Oid;
  readonly object: GitObject | null;
  /** The body is in no cache: its consumer may free its memory. */
  readonly owned?: boolean;
}

/** Returned bodies belong to the database's cache: callers must not write to them. */
export interface ObjectDatabase {
  /** Absent: the defaults. */
  readonly limits?: GitLimits;
  /** As in `GitHost`. Absent if no other request waits. */
  readonly work?: WorkBudget;
  /** Null: missing. Throws ECORRUPT for a broken object, ETOOBIG for a blob over `limits.wholeObject` (stream it). */
  read(oid: Oid): Promise<GitObject | null>;
  /** The object if it is cached as a whole, synchronously; null is inconclusive. A history walk tries this first. */
  peek(oid: Oid): GitObject | null;
  /** As `read`, but a missing object or one of another type is git's error. */
  need(oid: Oid, type?: ObjectType): Promise<GitObject>;
  /** Type and size, with as little inflating as possible. */
  header(oid: Oid): Promise<ObjectHeader | null>;
  has(oid: Oid): Promise<boolean>;
  /** Which of these are missing; in bulk, without a request to a promisor. */
  missing(oids: readonly Oid[]): Promise<Oid[]>;
  /** A blob of any size, in pieces. */
  stream(oid: Oid): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Many blobs, each id once, in the cheapest order to read; for checkout. A caller that batches them holds four megabytes at most.
   * Null: missing, or too large to hold (`stream` distinguishes the two).
   */
  readMany(oids: readonly Oid[]): AsyncIterable<ReadObject>;
  write(type: ObjectType, body: Uint8Array): Promise<Oid>;
  /** All of them, in few writes to the file system. */
  writeMany(objects: readonly GitObject[]): Promise<Oid[]>;
  /** A blob of any size from a stream; its size must be known, since the header precedes the content. */
  writeStream(size: number, content: AsyncIterable<Uint8Array>): Promise<Oid>;
  /** Full ids that begin with `prefix` (four digits or more), at most `max`. */
  withPrefix(prefix: string, max?: number): Promise<Oid[]>;
  /** The shortest prefix git would print: `core.abbrev` or git's guess from the number of objects, longer while ambiguous. */
  abbreviate(oid: Oid, length?: number): Promise<string>;
  /** Rescans the list of packs: after a fetch, a gc, or another git's work. */
  refresh(): Promise<void>;
}
