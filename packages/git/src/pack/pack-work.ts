/**
 * Limits the work of a pack. Adds up the declared sizes of its objects as they arrive, so that a pack of a few deltas that double
 * each time is refused before any is resolved. Objects that are rebuilt because they left the arena count as well.
 */
import type { WorkBudget } from "@workspace/protocol";
import { GitError } from "../errors.ts";
import { defaultGitLimits, type GitLimits } from "../limits.ts";

export type PackLimits = Pick<GitLimits, "resolvedBytes" | "resolvedBytesPerPackByte">;

/** Bytes may be produced this many times: for bases that are needed repeatedly. */
const REPEATS = 16;

export class PackWork {
  readonly budget: WorkBudget | undefined;
  readonly #limits: PackLimits;
  #stated = 0;
  #done = 0;

  constructor(budget: WorkBudget | undefined, limits: PackLimits = defaultGitLimits) {
    this.budget = budget;
    this.#limits = limits;
  }

  /** Counts bytes that were inflated or produced by deltas. */
  get done(): number {
    return this.#done;
  }

  /** An object declares this many bytes; `packBytes`: size of the pack so far. */
  state(bytes: number, packBytes: number): void {
    this.#stated += bytes;
    const max = this.#max(packBytes);
    if (this.#stated > max)
      throw new GitError(
        "ETOOBIG",
        `the pack's objects come to more than ${max} bytes, the limit for a pack of its size`,
      );
  }

  spend(bytes: number, packBytes: number): void {
    this.#done += bytes;
    if (this.#done > REPEATS * this.#max(packBytes))
      throw new GitError("ETOOBIG", "the pack's deltas need too much work: their bases are made again and again");
    this.budget?.spend(1, bytes);
  }

  /** A pause is due, to let other requests run. */
  get isDue(): boolean {
    return this.budget?.isDue ?? false;
  }

  async checkpoint(): Promise<void> {
    if (this.isDue) await this.budget?.pause();
  }

  #max(packBytes: number): number {
    const { resolvedBytes, resolvedBytesPerPackByte } = this.#limits;
    return resolvedBytes + resolvedBytesPerPackByte * packBytes;
  }
}
