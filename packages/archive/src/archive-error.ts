/** The one error of this package. An archive that is refused changes nothing: its reader stops before the caller commits. */
export type ArchiveErrorCode =
  /** Damaged, inconsistent, or it leads out of its target. */
  | "EINVAL"
  /** Over a limit of the budget. */
  | "EFBIG";

export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
  readonly code: ArchiveErrorCode;

  /** `reason`: completes "the archive is refused:". */
  constructor(code: ArchiveErrorCode, reason: string, cause?: unknown) {
    super(`the archive is refused: ${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export function invalidArchive(reason: string, cause?: unknown): ArchiveError {
  return new ArchiveError("EINVAL", reason, cause);
}
