/**
 * What the tools note with every call, an audit record and the version that was seen, kept in memory and written a moment later: many
 * calls share a statement, and an answer does not wait for them. Written at the end of the turn, when a number of them has come
 * together, and before anybody reads the log. A crash in between loses the notes of that turn, never a change to a file.
 */
import type { AuditRecord, Seen } from "@workspace/protocol";
import type { Volume } from "@workspace/vfs";
import { insertAudits, type SeenRow, saveSeen, selectSeen, trimAudit } from "./store/tool-rows.ts";

/** Notes that are written at once, whatever the turn does. */
const MOST_PENDING = 100;
/** While the database takes none, no more than these are held. */
const MOST_HELD = 1000;
/** Versions remembered beside the table. */
const MOST_KNOWN = 5000;
const AUDIT_KEPT = 10_000;
/** Trimmed once in so many records. */
const AUDIT_SLACK = 500;

export class PendingRows {
  readonly #volume: Volume;
  #audits: AuditRecord[] = [];
  readonly #seen = new Map<string, SeenRow>();
  readonly #known = new Map<string, Seen | null>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sinceTrim = 0;

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  /** Throws when the log takes nothing any more. */
  audit(record: AuditRecord): void {
    if (this.#audits.length >= MOST_HELD) this.#audits.shift();
    this.#audits.push(record);
    this.#later();
  }

  seen(actor: string, path: string): Seen | undefined {
    const key = `${actor}\0${path}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known ?? undefined;
    const found = selectSeen(this.#volume.open().db, actor, path);
    this.#know(key, found ?? null);
    return found;
  }

  remember(actor: string, path: string, seen: Seen | null): void {
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
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    const [audits, seen] = [this.#audits, [...this.#seen.values()]];
    if (audits.length === 0 && seen.length === 0) return;
    const { db } = this.#volume.open();
    const trims = this.#sinceTrim + audits.length >= AUDIT_SLACK;
    db.atomically(() => {
      if (audits.length > 0) insertAudits(db, audits);
      saveSeen(db, seen);
      if (trims) trimAudit(db, AUDIT_KEPT);
    });
    this.#sinceTrim = trims ? 0 : this.#sinceTrim + audits.length;
    this.#audits = [];
    this.#seen.clear();
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
