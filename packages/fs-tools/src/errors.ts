/**
 * The one error class of the tools. A message is a sentence for the model: what is wrong, and what to do next. `details` is small
 * plain data that goes into the structured result beside `code`.
 */
import type { FsErrorCode } from "@workspace/protocol";

export const TOOL_ERROR_CODES = [
  "INVALID_INPUT",
  "UNKNOWN_TOOL",
  "OUTSIDE_ROOT",
  /** Matches one of the host's deny globs. */
  "DENIED",
  /** Not among the host's `writable` globs. */
  "NOT_WRITABLE",
  "TOO_LARGE",
  "BINARY_FILE",
  "OUT_OF_RANGE",
  /** Not UTF-8: refused rather than mangled. */
  "ENCODING",
  /** Another actor changed the file since this actor read it. */
  "STALE",
  "NO_MATCH",
  "AMBIGUOUS_MATCH",
  "OVERLAP",
  "NO_CHANGE",
  "PATCH_CORRUPT",
  "PATCH_FAILED",
  "COMMAND_REFUSED",
  "COMMAND_FAILED",
  "ADDRESS_REFUSED",
  "FETCH_FAILED",
  "QUOTA",
  "UNAVAILABLE",
  "UNDO_FAILED",
  "CALL_FAILED",
] as const;

export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number] | FsErrorCode;

export class ToolError extends Error {
  override readonly name = "ToolError";

  constructor(
    readonly code: ToolErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Converts any exception to a tool error: file-system errors keep their code, unexpected errors only their message. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const { code, message, refusal } = (error ?? {}) as { code?: unknown; message?: unknown; refusal?: unknown };
  const text = typeof message === "string" && message !== "" ? message : String(error);
  const known = typeof code === "string" && /^(E[A-Z0-9]{2,}|ERR_[A-Z_]+|ABORT_ERR)$/.test(code);
  // The file system's messages begin with their code, as Node's do; a result shows it once.
  const reported = known && text.startsWith(`${code}: `) ? text.slice(code.length + 2) : text;
  // The policy of the view that the tools use.
  const refused = TOOL_ERROR_CODES.find((one) => one === refusal);
  if (refused !== undefined) return new ToolError(refused, reported.slice(0, 2000), {}, { cause: error });
  return new ToolError(known ? (code as ToolErrorCode) : "CALL_FAILED", reported.slice(0, 2000), {}, { cause: error });
}

/** Whether the error says that a path does not exist. */
export function isMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOENT" || code === "ENOTDIR";
}
