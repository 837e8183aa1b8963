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

/** Folder of packages/vfs/src → the folders it may import, from the bottom up; `type:` for types only. */
export const VFS_FOLDERS: Readonly<Record<string, { readonly about: string; readonly imports: readonly string[] }>> = {
  api: { about: "What callers see: interfaces, options, limits, errors", imports: [] },
  tree: { about: "Inodes, paths and their resolution, the `Tree` interface", imports: ["api"] },
  "node-args": {
    about: "Node's forms of arguments and results: encodings, flags, modes, times",
    imports: ["api", "type:tree"],
  },
  db: { about: "The connection, the schema, migrations", imports: ["api"] },
  store: { about: "All SQL; rows never leave it", imports: ["tree", "type:api", "type:db", "type:content"] },
  cache: { about: "Metadata in memory", imports: ["api", "tree", "store"] },
  walk: { about: "Walks over a tree in path order", imports: ["api", "tree", "store", "cache", "type:volume"] },
  content: {
    about: "File contents: rows, extents, streams",
    imports: ["api", "node-args", "tree", "store", "type:db", "type:mutation", "type:volume"],
  },
  policy: {
    about: "What a principal with a policy may see and change",
    imports: ["api", "tree", "cache", "walk", "type:content", "type:mutation", "type:volume"],
  },
  mutation: {
    about: "The changes of one verb, planned in memory and written in one transaction",
    imports: ["api", "tree", "store", "content", "policy", "type:db", "type:cache", "type:volume"],
  },
  volume: {
    about: "The state of one open database, and what packages above use besides the verbs",
    imports: [
      ...["api", "node-args", "tree", "db", "store", "cache", "walk", "content", "mutation"],
      // The services of a volume (volume/views.ts), and its open files.
      ...["type:handle", "type:history", "type:match", "type:policy", "type:search"],
    ],
  },
  handle: {
    about: "Open files",
    imports: ["api", "node-args", "tree", "store", "walk", "content", "mutation", "volume"],
  },
  maintenance: {
    about: "Garbage collection, erasing, fsck",
    imports: ["api", "tree", "store", "content", "type:db", "type:volume"],
  },
  match: {
    about: "Which paths a search or a listing includes: globs, ignore files, predicates",
    imports: ["api", "node-args", "tree", "walk", "type:cache", "type:volume"],
  },
  search: {
    about: "`grep`: engines, the regular expression engine, the index",
    imports: ["api", "tree", "store", "cache", "walk", "content", "match", "type:db", "type:volume"],
  },
  fs: {
    about: "One verb per file",
    imports: [
      ...["api", "node-args", "tree", "store", "cache", "walk", "content"],
      ...["policy", "mutation", "volume", "handle", "match", "search"],
    ],
  },
  history: {
    about: "Log, diff, blame, undo, snapshots, the past",
    imports: [
      ...["api", "tree", "store", "cache", "walk", "content", "policy", "mutation", "volume", "maintenance"],
      "type:db",
    ],
  },
};
