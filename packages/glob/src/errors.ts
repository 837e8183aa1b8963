/**
 * The package's only error. A glob comes from a user or a model, so the error states the reason and the position. Matching never
 * throws: all validation happens at compile time.
 */
export type GlobErrorCode = "EINVAL";

const QUOTED_LENGTH = 80;

export class GlobError extends Error {
  override readonly name = "GlobError";
  readonly code: GlobErrorCode = "EINVAL";

  /** `position` is the UTF-16 offset in `pattern` at which the reason holds. */
  constructor(
    readonly pattern: string,
    readonly position: number,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    const shown = pattern.length > QUOTED_LENGTH ? `${pattern.slice(0, QUOTED_LENGTH)}…` : pattern;
    super(`EINVAL: cannot compile glob "${shown}": ${reason} at offset ${position}`, options);
  }
}
