/** The one error class of this package: a code (the server's, or one of ours), words, and what to do. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly path?: string,
    /** Set when the same request may succeed later; the least time to wait. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** No answer at all: exit code 69, as sysexits' EX_UNAVAILABLE. */
export const UNREACHABLE = "EUNREACHABLE";
