/** The one error class of this package: a code (the server's, or one of ours), a message, and a hint. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly path?: string,
    /** Set if the same request may succeed later; the minimum wait. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** No response at all: exit code 69, as sysexits' EX_UNAVAILABLE. */
export const UNREACHABLE = "EUNREACHABLE";
