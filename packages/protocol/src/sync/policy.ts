/**
 * What stays in the container by default, as lines of an ignore file: what a tool makes again by itself, and what would fill an
 * object. `.workspaceignore` at the root and the caller's own globs come after these, and the last line that matches decides.
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
