/** Tracks which files of a copy have arrived, so that a failed copy reports where it stopped. */
import { CliError } from "../cli-error.ts";
import { understoodError } from "../format/format-error.ts";
import type { Progress } from "../format/progress-bar.ts";

export class Arrivals {
  readonly #progress: Progress;
  readonly #total: number;
  readonly #again: string;
  #files = 0;

  /** `again`: how to repeat the whole copy after a failure. */
  constructor(progress: Progress, total: number, again: string) {
    this.#progress = progress;
    this.#total = total;
    this.#again = again;
  }

  fileDone(): void {
    this.#files++;
    this.#progress.fileDone();
  }

  /** One attempt to send or receive; a failed one subtracts its bytes from the progress. */
  async attempt<Result>(send: (moved: (bytes: number) => void) => Promise<Result>): Promise<Result> {
    let bytes = 0;
    try {
      return await send((more) => {
        bytes += more;
        this.#progress.moved(more);
      });
    } catch (error) {
      this.#progress.moved(-bytes);
      throw error;
    }
  }

  /** The error of the whole copy. A single file needs no count. */
  failure(error: unknown): unknown {
    if (this.#total <= 1) return error;
    const { code, message, hint, path } = understoodError(error);
    const arrived = `${this.#files} of ${this.#total} files arrived before that`;
    const hints = hint === undefined ? this.#again : `${hint} ${this.#again}`;
    return new CliError(code, `${message}; ${arrived}`, hints, path);
  }
}

/** If the copy created the directory, the next copy would put the source inside it, under its own name. */
export function copyAgain(madeByCopy: string | null): string {
  const first =
    madeByCopy === null ? "Run the same command again" : `Remove ${madeByCopy}, then run the same command again`;
  return `${first} to copy all of it.`;
}
