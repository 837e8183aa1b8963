/**
 * Errors of a client that are not file system errors. Two kinds: the object threw an error of its own ("remote"), or the call did
 * not get through ("transport"), and then it is unknown whether it took effect. Nothing is retried here: the flags are the
 * platform's, for the caller to decide.
 */
export type WorkspaceRpcErrorCode = "ERR_WORKSPACE_REMOTE" | "ERR_WORKSPACE_TRANSPORT" | "ERR_WORKSPACE_DISPOSED";

export class WorkspaceRpcError extends Error {
  override readonly name = "WorkspaceRpcError";
  readonly code: WorkspaceRpcErrorCode;
  readonly verb: string;
  /** The platform reports that the same call may succeed when retried. Safe for reads; a write may have happened. */
  readonly retryable: boolean;
  /** The object is overloaded: do not retry at once. */
  readonly overloaded: boolean;
  /** Thrown by code in the object, not by the transport. */
  readonly remote: boolean;

  constructor(code: WorkspaceRpcErrorCode, verb: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    const flags = (typeof cause === "object" && cause !== null ? cause : {}) as Record<string, unknown>;
    this.code = code;
    this.verb = verb;
    this.remote = code === "ERR_WORKSPACE_REMOTE" || flags.remote === true;
    this.retryable = flags.retryable === true;
    this.overloaded = flags.overloaded === true;
  }
}

export function transportError(verb: string, cause: unknown): WorkspaceRpcError {
  return new WorkspaceRpcError(
    "ERR_WORKSPACE_TRANSPORT",
    verb,
    cause instanceof Error ? cause.message : String(cause),
    cause,
  );
}

export function disposedError(verb: string): WorkspaceRpcError {
  return new WorkspaceRpcError("ERR_WORKSPACE_DISPOSED", verb, `cannot ${verb}: this client is disposed`);
}
