/**
 * The work that one uploaded archive may cause: every byte that is inflated, read, skipped or copied counts, and every header, whether or
 * not it becomes a file. Long work lets other requests run in between.
 */
import { createWorkBudget, type WorkBudget } from "@workspace/protocol";
import { HttpError } from "../errors/http-error.ts";

export interface ArchiveLimits {
  unpackedBytes: number;
  archiveEntries: number;
}

/** To read a header, make its entry and check its name. */
const STEPS_PER_HEADER = 800;
/** Names and targets of links are held until all are known. */
const MAX_LINK_LENGTH = 8 * 1024 * 1024;

export class ArchiveBudget {
  readonly #limits: ArchiveLimits;
  readonly #work: WorkBudget;
  #bytes = 0;
  #headers = 0;
  #linkLength = 0;

  /** The limits here end the work long before the budget's own count of steps. */
  constructor(limits: ArchiveLimits, work: WorkBudget = createWorkBudget({ steps: Number.POSITIVE_INFINITY })) {
    this.#limits = limits;
    this.#work = work;
  }

  /** Before the bytes are used. */
  async spendBytes(bytes: number): Promise<void> {
    this.checkBytes(bytes);
    this.#bytes += bytes;
    this.#work.spend(0, bytes);
    await this.#work.checkpoint();
  }

  /** For an entry that says beforehand how many it has. */
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

  /** For an archive that says beforehand how many it has. */
  checkHeaders(count: number): void {
    if (count > this.#limits.archiveEntries)
      throw tooLarge(`it has more than ${this.#limits.archiveEntries} entries, headers included`);
  }
}

function tooLarge(why: string): HttpError {
  return new HttpError("EFBIG", `the archive is refused: ${why}`, { hint: "Send it in parts; nothing was unpacked." });
}
