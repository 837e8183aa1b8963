/** The error class of the shell's own failures. A command's failure is never an error: it is in the result. */

export type ShellErrorCode =
  /** Invalid arguments; nothing was started. */
  | "EINVAL"
  /** No record of this execution. */
  | "ENOENT"
  /** The id is taken: no id runs twice. */
  | "EEXIST"
  /** The execution is still running. */
  | "EBUSY"
  /** Too many concurrent executions; try again. */
  | "EAGAIN"
  /** The process accepts no (more) input. */
  | "EPIPE"
  /** The requested backend is not available. */
  | "ENOSYS"
  /** The output file was changed or removed. */
  | "EIO";

export class ShellError extends Error {
  override readonly name = "ShellError";
  readonly code: ShellErrorCode;

  constructor(code: ShellErrorCode, reason: string, options?: ErrorOptions) {
    super(reason.startsWith(`${code}: `) ? reason : `${code}: ${reason}`, options);
    this.code = code;
  }
}
