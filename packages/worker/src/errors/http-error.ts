/** The one error class of this package: a code, a message, and fields for the response. */
import type { Conflict } from "@workspace/vfs";
import type { HttpErrorCode } from "./codes.ts";

export interface HttpErrorFields {
  /** The path in the workspace, if the error concerns one. */
  path?: string;
  /** Replaces the code's own hint. */
  hint?: string;
  headers?: Record<string, string>;
  /** The changes that block an undo. */
  conflicts?: readonly Conflict[];
  cause?: unknown;
}

export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: HttpErrorCode;
  readonly path?: string;
  readonly hint?: string;
  readonly headers: Record<string, string>;
  readonly conflicts?: readonly Conflict[];

  constructor(code: HttpErrorCode, message: string, fields: HttpErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = code;
    this.path = fields.path;
    this.hint = fields.hint;
    this.headers = fields.headers ?? {};
    this.conflicts = fields.conflicts;
  }
}
