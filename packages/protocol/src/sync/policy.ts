/**
 * Directories that tools fill, as lines of an ignore file. What commands create in them stays in the container; what the workspace
 * has there and what git tracks is synced. `.workspaceignore` at the root and the caller's own globs come after these, and hold for
 * every path that they name. The last line that matches decides.
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

/** Why a path is not synced, in reports; more may follow after a colon. */
export const CONTAINER_ONLY_REASON = "container-only by policy";
