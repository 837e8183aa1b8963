/**
 * Every error code that a user of the file system can receive, on either side of a wire. POSIX names have their
 * meaning in Node; the rest are Node's own (`ERR_FS_*`) and ours, explained here.
 */
export const FS_ERROR_CODES = [
  "EACCES",
  /** The isolate's memory pool is exhausted, or ripgrep in the container ended without a response; retry. */
  "EAGAIN",
  "EBADF",
  "EBUSY",
  /** An undo would also revert later changes; `conflicts` names each, and nothing was changed. */
  "ECONFLICT",
  /** The caller's signal fired. */
  "ABORT_ERR",
  "EEXIST",
  /** The file is too large for this call; the message names the call that streams. */
  "EFBIG",
  /** A cursor or revision that no longer exists; `oldest` says where to start again. */
  "EGONE",
  "EINVAL",
  /** The database violated an invariant (corruption), or an enclosing transaction rolled back a handle's rows. */
  "EIO",
  "EISDIR",
  "ELOOP",
  "EMFILE",
  "EMLINK",
  "ENAMETOOLONG",
  "ENOENT",
  "ENOSPC",
  "ENOSYS",
  "ENOTDIR",
  "ENOTEMPTY",
  "EPERM",
  /** A view of the past cannot be changed. */
  "EROFS",
  /** `ifVersion` or `ifTargetVersion` did not hold; nothing was changed. */
  "ESTALE",
  /** The database was written by newer code than this; nothing was read or changed. */
  "EVERSION",
  "EXDEV",
  "ERR_FS_CP_DIR_TO_NON_DIR",
  "ERR_FS_CP_EEXIST",
  "ERR_FS_CP_EINVAL",
  "ERR_FS_CP_NON_DIR_TO_DIR",
  "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY",
  "ERR_FS_EISDIR",
] as const;

export type FsErrorCode = (typeof FS_ERROR_CODES)[number];

export function isFsErrorCode(value: unknown): value is FsErrorCode {
  return typeof value === "string" && (FS_ERROR_CODES as readonly string[]).includes(value);
}
