/**
 * Buffers the notes of every tool call, an audit record and the version that was read, and writes them a moment later: many calls
 * share a statement and, what costs most, a commit; and an answer does not wait for them.
 *
 * If files were changed, the notes are written when calls are idle, still within the turn of the object: it commits all writes of
 * one turn together, so that a change is not stored without its record. Records of calls that changed nothing may wait a little, so
 * that each does not cost a commit. All are written at once when enough have accumulated, and before the log is read. A crash
 * before that loses them; a rollback of a host transaction that contains notes loses none.
 */
import type { AuditRecord, ReadVersion } from "@workspace/protocol";
import type { VolumeStore } from "@workspace/vfs";
import {
  type AuditFields,
  auditFields,
  insertAudits,
  type SeenRow,
  saveSeen,
  selectSeen,
  trimAudit,
  trimSeen,
} from "./store/tool-rows.ts";

/** Number of notes at which they are written at once, whatever the turn does. */
const MAX_PENDING = 100;
/** Maximum number of buffered notes while writes to the database fail. */
const MAX_HELD = 1000;
/**
 * Calls are idle when this many consecutive promises have brought no note. A call takes a dozen; too few write more often, too many
 * cost a microsecond.
 */
const RESTING_STEPS = 40;
/** How long the record of a call that changed nothing may wait for others. */
const WAIT_MS = 25;
/** Versions cached besides the table. */
const MAX_KNOWN = 5000;
const MAX_AUDIT_ROWS = 10_000;
/** The log is trimmed once per this many records. */
const AUDIT_SLACK = 500;
/** For all actors together. A dropped entry is a file that was not read for long: it may be written as an unread one. */
const MAX_READ_ROWS = 20_000;
const SEEN_SLACK = 5_000;

export interface PendingOptions {
  /** From 0 to 1. An object may be evicted long before it has written this many notes, so its counter starts at random. */
  random?: () => number;
  maxReadRows?: number;
  seenSlack?: number;
}

export class ToolStateBuffer {
  readonly #volume: VolumeStore;
  readonly #maxReadRows: number;
  readonly #seenSlack: number;
  #audits: AuditFields[] = [];
  readonly #seen = new Map<string, SeenRow>();
  readonly #known = new Map<string, ReadVersion | null>();
  /** Written inside a transaction of the host, which may still be rolled back. */
  #uncommitted: { audits: AuditFields[]; seen: SeenRow[] } = { audits: [], seen: [] };
  /** The volume's epoch at the last check: a different one means a rollback. */
  #epoch: string;
  /** The volume's revision at the last note: a different one means a change to files. */
  #rev = -1;
  /** Steps left until calls count as idle. */
  #steps = 0;
  #resting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The delay of the timer. */
  #delay = WAIT_MS;
  #auditsSinceTrim: number;
  #seenSinceTrim: number;

  constructor(
    volume: VolumeStore,
    { random = Math.random, maxReadRows = MAX_READ_ROWS, seenSlack = SEEN_SLACK }: PendingOptions = {},
  ) {
    this.#volume = volume;
    this.#maxReadRows = maxReadRows;
    this.#seenSlack = seenSlack;
    this.#epoch = volume.epochToken;
    this.#auditsSinceTrim = Math.floor(random() * AUDIT_SLACK);
    this.#seenSinceTrim = Math.floor(random() * seenSlack);
  }

  /** Throws when the log accepts no more records. */
  audit(record: AuditRecord): void {
    this.#settle();
    if (this.#audits.length >= MAX_HELD) this.#audits.shift();
    this.#audits.push(auditFields(record));
    this.#later();
  }

  seen(actor: string, path: string): ReadVersion | undefined {
    this.#settle();
    const key = `${actor}\0${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known ?? undefined;
    const found = selectSeen(this.#volume.ensureOpen().store.db, actor, path);
    this.#know(key, found ?? null);
    return found;
  }

  remember(actor: string, path: string, seen: ReadVersion | null): void {
    this.#settle();
    const key = `${actor}\0${path}`;
    const known = this.#known.get(key);
    if (known !== undefined && known?.version === seen?.version && known?.contentVersion === seen?.contentVersion)
      return;
    this.#know(key, seen);
    this.#seen.set(key, { actor, path, seen });
    this.#later();
  }

  /** Writes everything so far, in one transaction. */
  flush(): void {
    this.#settle();
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    const [audits, seen] = [this.#audits, [...this.#seen.values()]];
    if (audits.length === 0 && seen.length === 0) return;
    const { db } = this.#volume.ensureOpen();
    const trimsAudit = this.#auditsSinceTrim + audits.length >= AUDIT_SLACK;
    const trimsSeen = this.#seenSinceTrim + seen.length >= this.#seenSlack;
    const write = () => {
      if (audits.length > 0) insertAudits(db, audits);
      if (seen.length > 0) saveSeen(db, seen);
      if (trimsAudit) trimAudit(db, MAX_AUDIT_ROWS);
      if (trimsSeen) trimSeen(db, this.#maxReadRows);
    };
    // Records alone are one statement, which is atomic by itself.
    if (seen.length === 0 && !trimsAudit && !trimsSeen) write();
    else db.transaction(write);
    this.#auditsSinceTrim = trimsAudit ? 0 : this.#auditsSinceTrim + audits.length;
    this.#seenSinceTrim = trimsSeen ? 0 : this.#seenSinceTrim + seen.length;
    this.#audits = [];
    this.#seen.clear();
    if (trimsSeen) this.#known.clear();
    if (!db.inTransaction) return;
    this.#uncommitted.audits.push(...audits);
    this.#uncommitted.seen.push(...seen);
  }

  /** After a rollback its writes are gone, and versions cached besides the table may be wrong. */
  #settle(): void {
    const { epochToken, db } = this.#volume;
    if (epochToken === this.#epoch) {
      if (this.#uncommitted.audits.length + this.#uncommitted.seen.length > 0 && !db.inTransaction)
        this.#uncommitted = { audits: [], seen: [] };
      return;
    }
    this.#epoch = epochToken;
    const { audits, seen } = this.#uncommitted;
    this.#uncommitted = { audits: [], seen: [] };
    this.#audits = [...audits, ...this.#audits].slice(-MAX_HELD);
    for (const row of seen) {
      const key = `${row.actor}\0${row.path}`;
      if (!this.#seen.has(key)) this.#seen.set(key, row);
    }
    this.#known.clear();
    for (const [key, row] of this.#seen) this.#known.set(key, row.seen);
    if (this.#audits.length + this.#seen.size > 0) this.#writeIn(0);
  }

  #later(): void {
    if (this.#audits.length + this.#seen.size >= MAX_PENDING) return this.flush();
    const { head } = this.#volume.revisions;
    const changed = head !== this.#rev;
    this.#rev = head;
    if (changed || this.#resting) this.#writeAtRest();
    else this.#writeIn(this.#seen.size > 0 ? 0 : WAIT_MS);
  }

  #writeAtRest(): void {
    this.#steps = RESTING_STEPS;
    if (!this.#resting) void this.#rest();
  }

  async #rest(): Promise<void> {
    this.#resting = true;
    while (this.#steps > 0) {
      this.#steps--;
      await null;
    }
    this.#resting = false;
    // The end of a host transaction is visible only a few promises later: only a timer is certain to run after it.
    if (this.#volume.db.inTransaction) this.#writeIn(0);
    else this.#flushQuietly();
  }

  #writeIn(ms: number): void {
    if (this.#timer !== undefined && this.#delay <= ms) return;
    clearTimeout(this.#timer);
    this.#delay = ms;
    this.#timer = setTimeout(() => this.#flushQuietly(), ms);
  }

  /** A failed flush keeps its rows. The call that fills the buffer retries and throws. */
  #flushQuietly(): void {
    try {
      this.flush();
    } catch (error) {
      console.error("the tools' notes could not be written", error);
    }
  }

  #know(key: string, seen: ReadVersion | null): void {
    this.#known.delete(key);
    this.#known.set(key, seen);
    // Pending ones are written to the database before they are dropped here.
    if (this.#known.size <= MAX_KNOWN) return;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      if (!this.#seen.has(oldest)) this.#known.delete(oldest);
    }
  }
}
