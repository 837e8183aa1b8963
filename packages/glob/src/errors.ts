// The package's one error. A glob is a user's or a model's text, so the error says what was wrong with it and where.
// Matching never throws: everything that can be refused is refused when the pattern is compiled.

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
