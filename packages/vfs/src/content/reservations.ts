/**
 * Blocks of content rows that writers fill before a commit gives them to files. Each block is recorded in `ws_spool`, so that the
 * collector finds what a crash leaves. A block belongs to the object that `reserve` returned, not to its row numbers: after a
 * rollback another writer may get the same numbers. The owner of a block commits or frees it.
 */
import { FsError } from "../api/errors.ts";
import { deleteContentSpan, releaseSpools, reserveSpool, selectOwnSpools } from "../store/contents.ts";
import { selectSpools } from "../store/gc.ts";
import type { VolumeStore } from "../volume/views.ts";

export interface Reservation {
  readonly first: number;
  readonly last: number;
  /** Rows written so far, from the first on. */
  written: number;
  /** A rollback removed written rows; the record still exists. */
  torn: boolean;
}

export class Reservations {
  readonly #volume: VolumeStore;
  readonly #live = new Map<number, Reservation>();
  /** Blocks whose deletion failed; the next `free` tries again. */
  #unfreed: Reservation[] = [];
  /** An earlier incarnation left blocks on record that have no writer. */
  hasStale = false;

  constructor(volume: VolumeStore) {
    this.#volume = volume;
  }

  reserve(rows: number): Reservation {
    const volume = this.#volume;
    const first = volume.allocateContentIds(rows);
    const last = first + rows - 1;
    reserveSpool(volume.db, first, last, volume.epochToken);
    return this.adopt(first, last, 0);
  }

  /** Takes over a block whose record is already written. */
  adopt(first: number, last: number, written: number): Reservation {
    const block = { first, last, written, torn: false };
    this.#live.set(first, block);
    return block;
  }

  get size(): number {
    return this.#live.size;
  }

  /** Whether a writer owns the block that begins at this row. Any other block on record is garbage. */
  has(first: number): boolean {
    return this.#live.has(first);
  }

  /** Throws when a rollback removed a block or rows of it: committing the rest would silently lose bytes. */
  expectIntact(blocks: readonly Reservation[]): void {
    this.#volume.ensureOpen();
    if (blocks.every((block) => this.#owns(block) && !block.torn)) return;
    throw new FsError("EIO", {
      syscall: "write",
      reason: "an enclosing transaction was rolled back, and bytes written so far with it; write them again",
    });
  }

  /** As `expectIntact`, checked against the database: an unreported rollback leaves the log as memory knows it. */
  expectStored(blocks: readonly Reservation[]): void {
    this.#compare(blocks.filter((block) => this.#owns(block)));
    this.expectIntact(blocks);
  }

  /** Call after a commit gave the rows to files. */
  release(blocks: readonly Reservation[]): void {
    for (const block of blocks) if (this.#owns(block)) this.#live.delete(block.first);
  }

  /** Deletes uncommitted rows and their records. Does not throw: usually another error is already propagating. */
  free(blocks: readonly Reservation[]): void {
    if (blocks.length === 0 && this.#unfreed.length === 0) return;
    this.#unfreed.push(...blocks);
    try {
      const { db } = this.#volume.ensureOpen();
      const own = this.#unfreed.filter((block) => this.#owns(block));
      if (own.length > 0)
        db.transaction(() => {
          for (const { first, last } of own) deleteContentSpan(db, first, last);
          releaseSpools(
            db,
            own.map(({ first }) => first),
          );
        });
      this.release(own);
      this.#unfreed = [];
    } catch {
      // They stay in the list.
    }
  }

  /** For use after a rollback, when no statement may run: frees these with the next blocks. */
  freeLater(blocks: readonly Reservation[]): void {
    this.#unfreed.push(...blocks);
  }

  /** A rollback brought back these blocks, which had been committed or freed. */
  restore(blocks: readonly Reservation[]): void {
    for (const block of blocks) this.#live.set(block.first, block);
  }

  /** Compares the blocks with the database: initially, and after a rollback. */
  recheck(): void {
    this.#compare([...this.#live.values()]);
    this.hasStale = selectSpools(this.#volume.db).some(({ first }) => !this.#live.has(first));
  }

  #compare(blocks: readonly Reservation[]): void {
    if (blocks.length === 0) return;
    const found = selectOwnSpools(this.#volume.db, blocks);
    for (const block of blocks) {
      const complete = found.get(block.first);
      if (complete === undefined) this.#live.delete(block.first);
      else if (!complete) block.torn = true;
    }
  }

  #owns(block: Reservation): boolean {
    return this.#live.get(block.first) === block;
  }
}
