/**
 * The one error class of the file system, shaped like Node's: `code`, `syscall`, `path`, `dest`.
 * The message is parseable (`CODE: reason, syscall 'path' -> 'dest'`), because classes do not survive Workers RPC.
 */
import type { PathRefusal } from "@workspace/glob";
import type { FsErrorCode } from "@workspace/protocol";
import type { Conflict } from "./history.ts";

export interface FsErrorFields {
  syscall?: string;
  path?: string;
  dest?: string;
  /** A description of the failure; defaults to the code's usual meaning. */
  reason?: string;
  /** With EGONE: the oldest cursor that still exists. */
  oldest?: string;
  /** With ECONFLICT: all conflicts. */
  conflicts?: readonly Conflict[];
  /** With EACCES: the refusal of the restricted view's policy for the path. */
  refusal?: PathRefusal;
  cause?: unknown;
}

export class FsError extends Error {
  override readonly name: string;
  readonly code: FsErrorCode;
  readonly syscall?: string;
  readonly path?: string;
  readonly dest?: string;
  readonly oldest?: string;
  readonly conflicts?: readonly Conflict[];
  readonly refusal?: PathRefusal;

  constructor(code: FsErrorCode, fields: FsErrorFields = {}) {
    super(describe(code, fields), fields.cause === undefined ? undefined : { cause: fields.cause });
    // The name that Node and the platform use.
    this.name = code === "ABORT_ERR" ? "AbortError" : "FsError";
    this.code = code;
    if (fields.syscall !== undefined) this.syscall = fields.syscall;
    if (fields.path !== undefined) this.path = fields.path;
    if (fields.dest !== undefined) this.dest = fields.dest;
    if (fields.oldest !== undefined) this.oldest = fields.oldest;
    if (fields.conflicts !== undefined) this.conflicts = fields.conflicts;
    if (fields.refusal !== undefined) this.refusal = fields.refusal;
  }
}

export function throwIfAborted(signal: AbortSignal | undefined, syscall: string, path?: string): void {
  if (signal?.aborted) throw new FsError("ABORT_ERR", { syscall, path, cause: signal.reason });
}

const MEANINGS: Partial<Record<FsErrorCode, string>> = {
  EACCES: "permission denied",
  EAGAIN: "memory pool is taken, try again",
  EBADF: "bad file descriptor",
  EBUSY: "resource busy",
  ABORT_ERR: "the operation was aborted",
  ECONFLICT: "later changes touched the same",
  EEXIST: "file already exists",
  EFBIG: "file too large",
  EGONE: "revision no longer exists",
  EINVAL: "invalid argument",
  EIO: "i/o error",
  EISDIR: "illegal operation on a directory",
  ELOOP: "too many symbolic links encountered",
  EMFILE: "too many open files",
  EMLINK: "too many links",
  ENAMETOOLONG: "name too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left",
  ENOSYS: "function not implemented",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
  EPERM: "operation not permitted",
  EROFS: "read-only file system",
  ESTALE: "the file changed since the given version",
  EVERSION: "the database was written by a newer version",
};

function describe(code: FsErrorCode, { reason, syscall, path, dest }: FsErrorFields): string {
  const what = reason ?? MEANINGS[code] ?? "operation failed";
  const subject = path === undefined ? "" : ` ${quote(path)}${dest === undefined ? "" : ` -> ${quote(dest)}`}`;
  return `${code}: ${what}${syscall === undefined ? "" : `, ${syscall}${subject}`}`;
}

/** Hostile names must not break the line or fill a log. */
function quote(path: string): string {
  const shown = path.length > 512 ? `${path.slice(0, 512)}…` : path;
  return `'${shown.replace(/[\u0000-\u001f\u007f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`)}'`;
}
