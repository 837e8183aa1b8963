/** The revisions of a database: how far the log goes, which incarnation wrote which part of it, and how versions are spelled. */
import { FsError } from "../api/errors.ts";
import type { Version } from "../api/file-system.ts";
import type { Database } from "../db/database.ts";
import type { Mutation } from "../mutation/mutation.ts";
import type { Epoch } from "../store/log.ts";
import { Epochs } from "./epochs.ts";
import { LogTail } from "./log-tail.ts";
import type { Revisions } from "./views.ts";

export class LiveRevisions implements Revisions {
  readonly tail: LogTail;
  readonly #epochs: Epochs;
  #head = { rev: 0, held: 0 };
  #generation = 0;
  #epochToken = "";
  #isRecorded = false;
  #stamp: string | null = null;

  constructor(db: Database, origin?: string) {
    this.tail = new LogTail(db);
    this.#epochs = new Epochs(db, origin);
  }

  get head(): number {
    return this.#head.rev;
  }

  /** Of past contents. */
  get retainedBytes(): number {
    return this.#head.held;
  }

  get oldest(): number {
    return (this.tail.entry?.rev ?? this.head + 1) - 1;
  }

  get generation(): number {
    return this.#generation;
  }

  get stamp(): string {
    return (this.#stamp ??= `${this.epochToken}.${this.head}`);
  }

  /** The last writer to the database, as far as this volume knows; null if there was none. */
  get lastWriter(): string | null {
    return this.#epochs.lastToken;
  }

  /** Identifies this incarnation; random, because a database restored to an earlier time repeats its revisions. */
  get epochToken(): string {
    if (this.#epochToken === "") {
      const bytes = crypto.getRandomValues(new Uint8Array(6));
      this.#epochToken = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    }
    return this.#epochToken;
  }

  /** The epoch to record with the next commit, if it has none yet. */
  get pendingEpoch(): Epoch | null {
    return this.#isRecorded ? null : { firstRev: this.head + 1, token: this.epochToken };
  }

  format(rev: number): Version {
    return `${this.#epochs.tokenOf(rev)}.${rev.toString(36)}`;
  }

  parse(version: unknown, syscall: string): number {
    const match = typeof version === "string" ? /^([0-9a-f]{12})\.([0-9a-z]{1,11})$/.exec(version) : null;
    if (match === null)
      throw new FsError("EINVAL", {
        syscall,
        path: String(version),
        reason: "not a version or cursor from an earlier answer",
      });
    const rev = Number.parseInt(match[2] as string, 36);
    if (rev > this.head || this.#epochs.tokenOf(rev) !== match[1]) {
      throw new FsError("EGONE", { syscall, path: String(version), reason: "this workspace has no such version" });
    }
    return rev;
  }

  setHead(head: { rev: number; held: number }): void {
    this.#head = head;
    this.#stamp = null;
  }

  load(): void {
    this.#epochs.load();
  }

  /** A revision of a rolled-back transaction may be reused, but never under the same epoch. */
  beginEpoch(): void {
    this.#epochToken = "";
    this.#stamp = null;
    this.#isRecorded = false;
  }

  /** After a commit. */
  advance(mutation: Mutation): void {
    const { pendingEpoch } = this;
    if (pendingEpoch !== null) {
      this.#epochs.add(pendingEpoch);
      this.#isRecorded = true;
    }
    this.#head = { rev: mutation.lastRev, held: mutation.retainedBytes };
    this.#stamp = null;
    this.tail.grown();
  }

  /** After history was trimmed or purged. */
  historyChanged(): void {
    this.tail.forget();
    this.#generation++;
  }
}
