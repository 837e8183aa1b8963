/**
 * What the tools note with every call, an audit record and the version that was seen, kept in memory and written a moment later: many
 * calls share a statement, and an answer does not wait for them. Written at the end of the turn, when a number of them has come
 * together, and before anybody reads the log. A crash in between loses the notes of that turn, never a change to a file; a transaction
 * of the host that is rolled back with notes in it loses none.
 */
import type { AuditRecord, Seen } from "@workspace/protocol";
import type { Volume } from "@workspace/vfs";
import { insertAudits, type SeenRow, saveSeen, selectSeen, trimAudit, trimSeen } from "./store/tool-rows.ts";

/** Notes that are written at once, whatever the turn does. */
const MOST_PENDING = 100;
/** While the database takes none, no more than these are held. */
const MOST_HELD = 1000;
/** Versions remembered beside the table. */
const MOST_KNOWN = 5000;
const AUDIT_KEPT = 10_000;
/** Trimmed once in so many records. */
const AUDIT_SLACK = 500;
/** Of all actors together. What is forgotten is a file that nobody looked at for long: it may be written as an unread one. */
const SEEN_KEPT = 20_000;
const SEEN_SLACK = 5_000;

export interface PendingOptions {
  /** From 0 to 1. An object may be evicted long before it has written so many notes: where it starts to count is chance. */
  random?: () => number;
  seenKept?: number;
  seenSlack?: number;
}

export class PendingRows {
  readonly #volume: Volume;
  readonly #seenKept: number;
  readonly #seenSlack: number;
  #audits: AuditRecord[] = [];
  readonly #seen = new Map<string, SeenRow>();
  readonly #known = new Map<string, Seen | null>();
  /** Written inside a transaction of the host, which may yet be rolled back. */
  #unsure: { audits: AuditRecord[]; seen: SeenRow[] } = { audits: [], seen: [] };
  /** Of the volume when it was last asked: another one tells of a rollback. */
  #epoch: string;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #auditsSinceTrim: number;
  #seenSinceTrim: number;

  constructor(
    volume: Volume,
    { random = Math.random, seenKept = SEEN_KEPT, seenSlack = SEEN_SLACK }: PendingOptions = {},
  ) {
    this.#volume = volume;
    this.#seenKept = seenKept;
    this.#seenSlack = seenSlack;
    this.#epoch = volume.epochToken;
    this.#auditsSinceTrim = Math.floor(random() * AUDIT_SLACK);
    this.#seenSinceTrim = Math.floor(random() * seenSlack);
  }

  /** Throws when the log takes nothing any more. */
  audit(record: AuditRecord): void {
    this.#settle();
    if (this.#audits.length >= MOST_HELD) this.#audits.shift();
    this.#audits.push(record);
    this.#later();
  }

  seen(actor: string, path: string): Seen | undefined {
    this.#settle();
    const key = `${actor}\0${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known ?? undefined;
    const found = selectSeen(this.#volume.open().db, actor, path);
    this.#know(key, found ?? null);
    return found;
  }

  remember(actor: string, path: string, seen: Seen | null): void {
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
    const { db } = this.#volume.open();
    const trimsAudit = this.#auditsSinceTrim + audits.length >= AUDIT_SLACK;
    const trimsSeen = this.#seenSinceTrim + seen.length >= this.#seenSlack;
    db.atomically(() => {
      if (audits.length > 0) insertAudits(db, audits);
      saveSeen(db, seen);
      if (trimsAudit) trimAudit(db, AUDIT_KEPT);
      if (trimsSeen) trimSeen(db, this.#seenKept);
    });
    this.#auditsSinceTrim = trimsAudit ? 0 : this.#auditsSinceTrim + audits.length;
    this.#seenSinceTrim = trimsSeen ? 0 : this.#seenSinceTrim + seen.length;
    this.#audits = [];
    this.#seen.clear();
    if (trimsSeen) this.#known.clear();
    if (!db.inTransaction) return;
    this.#unsure.audits.push(...audits);
    this.#unsure.seen.push(...seen);
  }

  /** After a rollback nothing that was written in it is there, and what was remembered beside the table may be wrong. */
  #settle(): void {
    const { epochToken, db } = this.#volume;
    if (epochToken === this.#epoch) {
      if (this.#unsure.audits.length + this.#unsure.seen.length > 0 && !db.inTransaction)
        this.#unsure = { audits: [], seen: [] };
      return;
    }
    this.#epoch = epochToken;
    const { audits, seen } = this.#unsure;
    this.#unsure = { audits: [], seen: [] };
    this.#audits = [...audits, ...this.#audits].slice(-MOST_HELD);
    for (const row of seen) {
      const key = `${row.actor}\0${row.path}`;
      if (!this.#seen.has(key)) this.#seen.set(key, row);
    }
    this.#known.clear();
    for (const [key, row] of this.#seen) this.#known.set(key, row.seen);
    if (this.#audits.length + this.#seen.size > 0) this.#timer ??= setTimeout(() => this.#flushQuietly(), 0);
  }

  #later(): void {
    if (this.#audits.length + this.#seen.size >= MOST_PENDING) return this.flush();
    this.#timer ??= setTimeout(() => this.#flushQuietly(), 0);
  }

  /** What fails here stays pending, and fails again, and is told, with the call that fills the measure. */
  #flushQuietly(): void {
    try {
      this.flush();
    } catch (error) {
      console.error("the tools' notes could not be written", error);
    }
  }

  #know(key: string, seen: Seen | null): void {
    this.#known.delete(key);
    this.#known.set(key, seen);
    // Pending ones are in the database before they are forgotten here.
    if (this.#known.size <= MOST_KNOWN) return;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      if (!this.#seen.has(oldest)) this.#known.delete(oldest);
    }
  }
}
