/**
 * Limits the work of one archive: every byte that is inflated, read, skipped or copied counts, and so does every header and every
 * directory, whether or not it becomes a file. Long work yields to other requests through the caller's work budget.
 */
import { ArchiveError } from "./archive-error.ts";

export interface ArchiveLimits {
  unpackedBytes: number;
  /** Headers, entries and the directories that their names imply. */
  archiveEntries: number;
}

/** The part of `WorkBudget` of @workspace/protocol that is used here. */
export interface ArchiveWork {
  spend(steps: number, bytes?: number): void;
  checkpoint(): Promise<void> | undefined;
}

/** Reading a header, creating its entry and checking its name. */
const STEPS_PER_HEADER = 800;
/** Reading one record of a pax header. */
const STEPS_PER_RECORD = 50;
/** Link names and targets stay in memory until all are known. */
const MAX_LINK_LENGTH = 8 * 1024 * 1024;

export class ArchiveBudget {
  readonly #limits: ArchiveLimits;
  readonly #work: ArchiveWork;
  #bytes = 0;
  #headers = 0;
  #linkLength = 0;

  constructor(limits: ArchiveLimits, work: ArchiveWork) {
    this.#limits = limits;
    this.#work = work;
  }

  /** Call before using the bytes. */
  async spendBytes(bytes: number): Promise<void> {
    this.checkBytes(bytes);
    this.#bytes += bytes;
    this.#work.spend(0, bytes);
    await this.#work.checkpoint();
  }

  /** Checks the size that an entry declares. */
  checkBytes(bytes: number): void {
    if (this.#bytes + bytes > this.#limits.unpackedBytes)
      throw tooLarge(`it unpacks to more than ${this.#limits.unpackedBytes} bytes, headers and links included`);
  }

  async spendHeader(): Promise<void> {
    this.checkHeaders(++this.#headers);
    this.#work.spend(STEPS_PER_HEADER);
    await this.#work.checkpoint();
  }

  /** Charges one record of a pax header. It never yields, because such a header is short. */
  spendRecord(): void {
    this.#work.spend(STEPS_PER_RECORD);
  }

  /** Charges a directory that only the paths of entries imply. `length` is the length of its path. */
  async spendDirectory(length: number): Promise<void> {
    this.checkHeaders(++this.#headers);
    this.#work.spend(STEPS_PER_HEADER, length);
    await this.#work.checkpoint();
  }

  holdLink(length: number): void {
    this.#linkLength += length;
    if (this.#linkLength > MAX_LINK_LENGTH) throw tooLarge("the names and targets of its links are too long together");
  }

  /** Checks the entry count that an archive declares. */
  checkHeaders(count: number): void {
    if (count > this.#limits.archiveEntries)
      throw tooLarge(`it has more than ${this.#limits.archiveEntries} entries, headers and directories included`);
  }
}

function tooLarge(reason: string): ArchiveError {
  return new ArchiveError("EFBIG", reason);
}
