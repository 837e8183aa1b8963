/**
 * Which package may import which: architecture.test.ts enforces it, and docs/architecture.md shows it (scripts/documents.mjs). Only data,
 * so that the script can import this file.
 */

/** Packages that import nothing, and that all others may import. */
export const LEAVES = ["packages/protocol", "packages/glob", "packages/text", "packages/archive"];

/** Package → what it may import besides the leaves; `type:` for types only. */
export const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "packages/protocol": [],
  "packages/glob": [],
  "packages/text": [],
  "packages/archive": [],
  migrations: [],
  "packages/vfs": ["@workspace/migrations"],
  "packages/git": ["type:@workspace/vfs"],
  "packages/shell": ["type:@workspace/vfs", "type:@workspace/git"],
  "packages/workspace": ["@workspace/vfs", "@workspace/git", "@workspace/shell"],
  "packages/fs-tools": ["type:@cloudflare/workspace"],
  "packages/worker": [
    "@cloudflare/workspace",
    "@cloudflare/fs-tools",
    "@workspace/vfs",
    "@workspace/git",
    "@workspace/shell",
  ],
  "packages/studio": ["type:@workspace/worker"],
  "packages/cli": ["type:@workspace/worker"],
  container: [],
};
