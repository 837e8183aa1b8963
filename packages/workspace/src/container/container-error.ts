/** Failures between a workspace and its container, other than those of commands. */
export type ContainerErrorCode =
  /** The container cannot be reached, or the connection was cut. */
  | "EUNREACHABLE"
  /** It belongs to another workspace, or does not have our secret. */
  | "EAUTH"
  /** It violated the protocol. Nothing it sent is trusted. */
  | "EPROTO"
  /** It rejected the request: `cause` has its own code. */
  | "EREMOTE"
  | "EINVAL"
  | "ENOENT"
  | "EEXIST"
  | "EPIPE"
  | "EBUDGET";

export class ContainerError extends Error {
  override readonly name = "ContainerError";
  readonly code: ContainerErrorCode;
  /** The daemon's own code, if it sent one. */
  readonly remote?: string;

  constructor(code: ContainerErrorCode, message: string, options: { cause?: unknown; remote?: string } = {}) {
    super(`${code}: ${message}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options.remote !== undefined) this.remote = options.remote;
  }
}
