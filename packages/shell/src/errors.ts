/** One class for everything the shell itself refuses. What a command does is never an error: it is in its result. */

export type ShellErrorCode =
  /** What was asked makes no sense; nothing was started. */
  | "EINVAL"
  /** No record of such an execution. */
  | "ENOENT"
  /** The id is taken: nothing runs twice. */
  | "EEXIST"
  /** It still runs. */
  | "EBUSY"
  /** Too many run at once; try again. */
  | "EAGAIN"
  /** The process takes no input (any more). */
  | "EPIPE"
  /** The backend that was asked for is not there. */
  | "ENOSYS"
  /** The output was kept in a file that somebody changed or removed. */
  | "EIO";

export class ShellError extends Error {
  override readonly name = "ShellError";
  readonly code: ShellErrorCode;

  constructor(code: ShellErrorCode, reason: string, options?: ErrorOptions) {
    super(reason.startsWith(`${code}: `) ? reason : `${code}: ${reason}`, options);
    this.code = code;
  }
}
