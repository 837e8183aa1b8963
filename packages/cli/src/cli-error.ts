/** The one error class of this package: a code (the server's, or one of ours), words, and what to do. */
export class CliError extends Error {
  override readonly name = "CliError";

  constructor(
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly path?: string,
  ) {
    super(message);
  }
}

/** No answer at all: exit code 69, as sysexits' EX_UNAVAILABLE. */
export const UNREACHABLE = "EUNREACHABLE";
