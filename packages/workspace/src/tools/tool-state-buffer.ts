/**
 * What the tools note with every call, an audit record and the version that was seen, kept in memory and written a moment later: many
 * calls share a statement and, what costs most, a commit; and an answer does not wait for them.
 *
 * Where files were changed, the notes are written when calls have come to rest, still within the turn of the object: what it writes in
 * one turn it commits together, so that a change is not kept without its record. Records of calls that changed nothing may wait a
 * little, so that each does not make a commit of its own. All are written at once when a number of them has come together, and before
 * anybody reads the log. A crash before that loses them; a transaction of the host that is rolled back with notes in it loses none.
 */
import type { AuditRecord, ReadVersion } from "@workspace/protocol";
import type { Volume } from "@workspace/vfs";
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

/** Notes that are written at once, whatever the turn does. */
const MAX_PENDING = 100;
/** While the database takes none, no more than these are held. */
const MAX_HELD = 1000;
/**
 * Calls have come to rest when so many promises in a row have brought no note. A call takes a dozen; too few write more often, too many
 * cost a microsecond.
 */
const RESTING_STEPS = 40;
/** How long the record of a call that changed nothing may wait for others. */
const WAIT_MS = 25;
/** Versions remembered beside the table. */
const MAX_KNOWN = 5000;
const MAX_AUDIT_ROWS = 10_000;
/** Trimmed once in so many records. */
const AUDIT_SLACK = 500;
/** Of all actors together. What is forgotten is a file that nobody looked at for long: it may be written as an unread one. */
const MAX_READ_ROWS = 20_000;
const SEEN_SLACK = 5_000;

export interface PendingOptions {
  /** From 0 to 1. An object may be evicted long before it has written so many notes: where it starts to count is chance. */
  random?: () => number;
  maxReadRows?: number;
  seenSlack?: number;
}

export class ToolStateBuffer {
  readonly #volume: Volume;
  readonly #maxReadRows: number;
  readonly #seenSlack: number;
  #audits: AuditFields[] = [];
  readonly #seen = new Map<string, SeenRow>();
  readonly #known = new Map<string, ReadVersion | null>();
  /** Written inside a transaction of the host, which may yet be rolled back. */
  #uncommitted: { audits: AuditFields[]; seen: SeenRow[] } = { audits: [], seen: [] };
  /** Of the volume when it was last asked: another one tells of a rollback. */
  #epoch: string;
  /** Of the volume, at the last note: another one tells of a change to files. */
  #rev = -1;
  /** Steps to go until calls are at rest. */
  #steps = 0;
  #resting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Of the timer. */
  #delay = WAIT_MS;
  #auditsSinceTrim: number;
  #seenSinceTrim: number;

  constructor(
    volume: Volume,
    { random = Math.random, maxReadRows = MAX_READ_ROWS, seenSlack = SEEN_SLACK }: PendingOptions = {},
  ) {
    this.#volume = volume;
    this.#maxReadRows = maxReadRows;
    this.#seenSlack = seenSlack;
    this.#epoch = volume.epochToken;
    this.#auditsSinceTrim = Math.floor(random() * AUDIT_SLACK);
    this.#seenSinceTrim = Math.floor(random() * seenSlack);
  }

  /** Throws when the log takes nothing any more. */
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
    const found = selectSeen(this.#volume.ensureOpen().db, actor, path);
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

  /** Everything so far, in one transaction. */
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
    // Records alone are one statement, which is all or nothing by itself.
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

  /** After a rollback nothing that was written in it is there, and what was remembered beside the table may be wrong. */
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
    const { headRev } = this.#volume;
    const changed = headRev !== this.#rev;
    this.#rev = headRev;
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
    // The end of a transaction of the host is known a few promises later than it is: only a timer cannot come in between.
    if (this.#volume.db.inTransaction) this.#writeIn(0);
    else this.#flushQuietly();
  }

  #writeIn(ms: number): void {
    if (this.#timer !== undefined && this.#delay <= ms) return;
    clearTimeout(this.#timer);
    this.#delay = ms;
    this.#timer = setTimeout(() => this.#flushQuietly(), ms);
  }

  /** What fails here stays pending, and fails again, and is told, with the call that fills the measure. */
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
    // Pending ones are in the database before they are forgotten here.
    if (this.#known.size <= MAX_KNOWN) return;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      if (!this.#seen.has(oldest)) this.#known.delete(oldest);
    }
  }
}
