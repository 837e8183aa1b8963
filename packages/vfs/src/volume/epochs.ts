/**
 * Records which incarnation wrote a revision. An object gets a new epoch every time it wakes and writes, so there can be very many.
 * The latest are read when the volume opens, older ones when one of their versions is requested.
 */
import type { Database } from "../db/database.ts";
import { type Epoch, selectEpochAt, selectLatestEpochs } from "../store/log.ts";

const LATEST = 100;
const MAX_OLDER = 256;
const NO_EPOCH = "000000000000";

export class Epochs {
  readonly #db: Database;
  /** By first revision, without a gap up to now. */
  #latest: Epoch[] = [];
  /** Single older epochs, with the revision that ends them. */
  #older: (Epoch & { end: number })[] = [];

  /** The epoch of revisions without an incarnation: those that a workspace has before its first write. */
  readonly #origin: string;

  /** `origin`: hexadecimal digits that distinguish this workspace from others. */
  constructor(db: Database, origin = "") {
    this.#db = db;
    this.#origin = origin
      .replace(/[^0-9a-f]/g, "")
      .slice(0, NO_EPOCH.length)
      .padEnd(NO_EPOCH.length, "0");
  }

  load(): void {
    this.#latest = selectLatestEpochs(this.#db, LATEST);
    this.#older = [];
  }

  /** The epoch of the last incarnation that wrote. */
  get lastToken(): string | null {
    return this.#latest.at(-1)?.token ?? null;
  }

  add(epoch: Epoch): void {
    this.#latest.push(epoch);
  }

  tokenOf(rev: number): string {
    const { length } = this.#latest;
    for (let i = length - 1; i >= 0; i--) {
      const epoch = this.#latest[i] as Epoch;
      if (epoch.firstRev <= rev) return epoch.token;
    }
    return length < LATEST ? this.#origin : this.#olderToken(rev);
  }

  #olderToken(rev: number): string {
    const known = this.#older.find(({ firstRev, end }) => firstRev <= rev && rev < end);
    if (known !== undefined) return known.token;
    const found = selectEpochAt(this.#db, rev);
    if (found === null) return this.#origin;
    if (this.#older.length >= MAX_OLDER) this.#older = [];
    this.#older.push(found);
    return found.token;
  }
}
