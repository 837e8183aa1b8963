/**
 * The tables of the shell: a row per execution, and its output in pages. Rows never leave this file. A page's bytes are in it, or
 * in the spool file from `at` on; `lengths` has one number per event, twice its bytes plus one for stderr.
 */

import type { SyncReport } from "../exec-backend.ts";
import type { ExecDatabase } from "../host.ts";
import type { ExecRecord } from "../shell.ts";

/** A record with the fields that only its results need. */
export interface StoredExec extends ExecRecord {
  /** The cursor of the change log at its start. */
  readonly cursor: string;
  /** The root of the view that started it: its output file is in the private directory there. Absent in older records. */
  readonly root?: string;
  /** The policies of that view, if it was restricted. */
  readonly policies?: readonly string[];
  /** The seq of its last event. */
  readonly lastSeq?: number;
  readonly sync?: SyncReport;
  readonly changed?: readonly string[];
}

export interface OutputPage {
  /** The seq of its first event; the following ones are consecutive. */
  readonly first: number;
  readonly lengths: Uint32Array;
  /** The offset of its bytes in the spool, or null. */
  readonly at: number | null;
  readonly bytes: Uint8Array | null;
  /** Trailing bytes of stdout and stderr that begin an incomplete character. */
  readonly held: readonly [Uint8Array, Uint8Array];
}

export class ExecStore {
  readonly #db: ExecDatabase;

  constructor(db: ExecDatabase) {
    this.#db = db;
  }

  insert(record: StoredExec): void {
    const { id, startedMs, state } = record;
    this.#db.run(
      "INSERT INTO ws_exec (id, started, state, record) VALUES (?, ?, ?, ?)",
      id,
      startedMs,
      state,
      JSON.stringify(record),
    );
  }

  find(id: string): StoredExec | null {
    const [row] = this.#db.rows("SELECT record FROM ws_exec WHERE id = ?", id);
    return row === undefined ? null : (JSON.parse(String(row[0])) as StoredExec);
  }

  list(state: string | undefined, limit: number): StoredExec[] {
    const where = state === undefined ? "" : "WHERE state = ? ";
    const sql = `SELECT record FROM ws_exec ${where}ORDER BY started DESC, id DESC LIMIT ?`;
    const rows = state === undefined ? this.#db.rows(sql, limit) : this.#db.rows(sql, state, limit);
    return rows.map((row) => JSON.parse(String(row[0])) as StoredExec);
  }

  /** Stores the end of an execution and its last page atomically. */
  finish(record: StoredExec, page: OutputPage | null): void {
    this.#db.atomically(() => {
      if (page !== null) this.putPage(record.id, page);
      this.#db.run(
        "UPDATE ws_exec SET state = ?, record = ? WHERE id = ?",
        record.state,
        JSON.stringify(record),
        record.id,
      );
    });
  }

  putPage(id: string, { first, lengths, at, bytes, held: [out, err] }: OutputPage): void {
    const held = new Uint8Array([out.length, ...out, ...err]);
    this.#db.run(
      "INSERT INTO ws_exec_page (exec, first, lengths, at, bytes, partial_char) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      first,
      new Uint8Array(lengths.buffer, lengths.byteOffset, lengths.byteLength),
      at,
      bytes,
      held,
    );
  }

  dropPage(id: string, first: number): void {
    this.#db.run("DELETE FROM ws_exec_page WHERE exec = ? AND first = ?", id, first);
  }

  pages(id: string): OutputPage[] {
    return this.#db
      .rows("SELECT first, lengths, at, bytes, partial_char FROM ws_exec_page WHERE exec = ? ORDER BY first", id)
      .map(([first, lengths, at, bytes, held]) => ({
        first: Number(first),
        lengths: new Uint32Array(lengths as ArrayBuffer),
        at: at === null ? null : Number(at),
        bytes: bytes === null ? null : new Uint8Array(bytes as ArrayBuffer),
        held: splitHeld(new Uint8Array(held as ArrayBuffer)),
      }));
  }

  remove(id: string): void {
    this.#db.atomically(() => {
      this.#db.run("DELETE FROM ws_exec_page WHERE exec = ?", id);
      this.#db.run("DELETE FROM ws_exec WHERE id = ?", id);
    });
  }

  /** Finished executions beyond the newest `keep`, oldest first. */
  beyond(keep: number): StoredExec[] {
    return this.#db
      .rows(
        "SELECT record FROM ws_exec WHERE state <> 'running' ORDER BY started DESC, id DESC LIMIT -1 OFFSET ?",
        keep,
      )
      .map((row) => JSON.parse(String(row[0])) as StoredExec)
      .reverse();
  }
}

function splitHeld(held: Uint8Array): [Uint8Array, Uint8Array] {
  const cut = 1 + (held[0] ?? 0);
  return [held.slice(1, cut), held.slice(cut)];
}
