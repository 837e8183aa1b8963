/** The waist between "which object" and "where it is kept": loose files, packs, alternates, or a remote that promised it. */
import type { WorkBudget } from "@workspace/protocol";
import type { GitLimits } from "./limits.ts";
import type { Oid } from "./oid.ts";

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
  /** The body is in no cache: who is done with it may give its memory back. */
  readonly owned?: boolean;
}

/** Bodies that are handed out belong to the database's cache: they are read, never written to. */
export interface ObjectDatabase {
  /** Absent: the defaults. */
  readonly limits?: GitLimits;
  /** As in `GitHost`. Absent where no other request waits. */
  readonly work?: WorkBudget;
  /** Null: not here. Throws ECORRUPT for one that is broken, ETOOBIG for a blob over `limits.wholeObject` (stream it). */
  read(oid: Oid): Promise<GitObject | null>;
  /** What is in memory as a whole, without waiting; null says nothing. A walk of history asks this first. */
  peek(oid: Oid): GitObject | null;
  /** As `read`, but an object that is missing or of another type is git's error. */
  need(oid: Oid, type?: ObjectType): Promise<GitObject>;
  /** Type and size without inflating more than it takes. */
  header(oid: Oid): Promise<ObjectHeader | null>;
  has(oid: Oid): Promise<boolean>;
  /** Which of these are not here; in bulk, without asking a promisor. */
  missing(oids: readonly Oid[]): Promise<Oid[]>;
  /** A blob of any size, in pieces. */
  stream(oid: Oid): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Many blobs, each name once, in the order that is cheapest to read; for checkout. Whoever keeps some to write them together keeps
   * four megabytes at most. Null: missing, or too large to hold (`stream` tells which).
   */
  readMany(oids: readonly Oid[]): AsyncIterable<ReadObject>;
  write(type: ObjectType, body: Uint8Array): Promise<Oid>;
  /** All of them, in few writes to the file system. */
  writeMany(objects: readonly GitObject[]): Promise<Oid[]>;
  /** A blob of any size from a stream; its size must be known, since it stands before the content. */
  writeStream(size: number, content: AsyncIterable<Uint8Array>): Promise<Oid>;
  /** Full names that begin with `prefix` (four digits or more), at most `max`. */
  withPrefix(prefix: string, max?: number): Promise<Oid[]>;
  /** The shortest prefix git would print: `core.abbrev` or git's guess from the number of objects, longer while ambiguous. */
  abbreviate(oid: Oid, length?: number): Promise<string>;
  /** Looks again at what packs there are: after a fetch, a gc, or another git's work. */
  refresh(): Promise<void>;
}
