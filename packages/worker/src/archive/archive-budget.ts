/**
 * Limits the work of one uploaded archive: every byte that is inflated, read, skipped or copied counts, and so does every header,
 * whether or not it becomes a file. Long work yields to other requests.
 */
import { createWorkBudget, type WorkBudget } from "@workspace/protocol";
import { HttpError } from "../errors/http-error.ts";

export interface ArchiveLimits {
  unpackedBytes: number;
  archiveEntries: number;
}

/** Reading a header, creating its entry and checking its name. */
const STEPS_PER_HEADER = 800;
/** Link names and targets stay in memory until all are known. */
const MAX_LINK_LENGTH = 8 * 1024 * 1024;

export class ArchiveBudget {
  readonly #limits: ArchiveLimits;
  readonly #work: WorkBudget;
  #bytes = 0;
  #headers = 0;
  #linkLength = 0;

  /** These limits stop the work long before the budget's own step count. */
  constructor(limits: ArchiveLimits, work: WorkBudget = createWorkBudget({ steps: Number.POSITIVE_INFINITY })) {
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

  /** For an entry that declares its size. */
  checkBytes(bytes: number): void {
    if (this.#bytes + bytes > this.#limits.unpackedBytes)
      throw tooLarge(`it unpacks to more than ${this.#limits.unpackedBytes} bytes, headers and links included`);
  }

  async spendHeader(): Promise<void> {
    this.checkHeaders(++this.#headers);
    this.#work.spend(STEPS_PER_HEADER);
    await this.#work.checkpoint();
  }

  holdLink(length: number): void {
    this.#linkLength += length;
    if (this.#linkLength > MAX_LINK_LENGTH) throw tooLarge("the names and targets of its links are too long together");
  }

  /** For an archive that declares its entry count. */
  checkHeaders(count: number): void {
    if (count > this.#limits.archiveEntries)
      throw tooLarge(`it has more than ${this.#limits.archiveEntries} entries, headers included`);
  }
}

function tooLarge(why: string): HttpError {
  return new HttpError("EFBIG", `the archive is refused: ${why}`, { hint: "Send it in parts; nothing was unpacked." });
}
