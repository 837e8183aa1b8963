/** An invalid command line: usage on stderr, exit code 2, and no request was sent. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
