/**
 * Directories that tools fill, as lines of an ignore file. Files that commands create in them stay in the container; files that the
 * workspace has there or git tracks are synced. `.workspaceignore` at the root and the caller's own globs follow and apply to every
 * path they match. The last line that matches decides.
 */
export const CONTAINER_ONLY = [
  "node_modules/",
  ".venv/",
  "venv/",
  "target/",
  "__pycache__/",
  ".cache/",
  ".npm/",
  ".pnpm-store/",
  ".yarn/cache/",
  ".gradle/",
  ".tox/",
  ".mypy_cache/",
  ".pytest_cache/",
  ".ruff_cache/",
  ".parcel-cache/",
  ".turbo/",
  ".next/cache/",
] as const;

export const IGNORE_FILE = ".workspaceignore";

/** The reason in reports for a path that is not synced; details may follow after a colon. */
export const CONTAINER_ONLY_REASON = "container-only by policy";
