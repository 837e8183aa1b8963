/** What can go wrong between a workspace and its container, beside what commands do. */
export type ContainerErrorCode =
  /** It cannot be reached, or the connection was cut. */
  | "EUNREACHABLE"
  /** It belongs to somebody else, or does not know our secret. */
  | "EAUTH"
  /** It said something that no daemon of ours says. Nothing it said is believed. */
  | "EPROTO"
  /** It refused: `cause` has its own code. */
  | "EREMOTE"
  | "EINVAL"
  | "ENOENT"
  | "EEXIST"
  | "EPIPE"
  | "EBUDGET";

export class ContainerError extends Error {
  override readonly name = "ContainerError";
  readonly code: ContainerErrorCode;
  /** The daemon's own code, where it gave one. */
  readonly remote?: string;

  constructor(code: ContainerErrorCode, message: string, options: { cause?: unknown; remote?: string } = {}) {
    super(`${code}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.remote !== undefined) this.remote = options.remote;
  }
}
