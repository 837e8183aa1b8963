/**
 * The tables, as drizzle definitions: `npm run db:generate` generates the SQL in migrations/ from them. Nothing here runs in a
 * Worker: hot paths use plain statements (drizzle's builder costs five times one), so only the types and the names matter.
 * The reasons for the shape are in docs/decisions/0001-schema.md. Times are integer microseconds.
 */
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A file, directory or symlink. `ino` is the revision that made it. */
export const inode = sqliteTable("ws_inode", {
  ino: integer().primaryKey(),
  mode: integer().notNull(),
  nlink: integer().notNull(),
  size: integer().notNull(),
  /** 0: no bytes; positive: `ws_content.id`; negative: `-ws_node.id` of a root. */
  content: integer().notNull(),
  /** Of a symlink. */
  target: text(),
  mtime: integer().notNull(),
  ctime: integer().notNull(),
  birthtime: integer().notNull(),
  /** Last entry of the log that touched it, as subject or as directory. */
  rev: integer().notNull(),
  contentRev: integer("content_rev").notNull(),
  /** Of a directory: where it is; 0 for the root and for the head of a removed tree. */
  parent: integer().notNull(),
});

/** A name in a directory. WITHOUT ROWID (see scripts/bundle-migrations.mjs): one row and no index to write. */
export const dirent = sqliteTable(
  "ws_dirent",
  {
    parent: integer().notNull(),
    name: text().notNull(),
    ino: integer().notNull(),
    /** 1 file, 2 directory, 3 symlink: so that a listing need not read inodes. */
    type: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.parent, t.name] })],
);

/** Every name of a file that has more than one. */
export const hardlink = sqliteTable(
  "ws_hardlink",
  { ino: integer().notNull(), parent: integer().notNull(), name: text().notNull() },
  (t) => [primaryKey({ columns: [t.ino, t.parent, t.name] })],
);

/** Bytes. A row only grows at its end: each reference to it states how many bytes it uses. */
export const content = sqliteTable("ws_content", {
  id: integer().primaryKey(),
  bytes: blob().notNull(),
});

/**
 * The trees that locate the bytes of large contents. `entries` is JSON: in a leaf (`level` 0) extents, `[at, row, offset]` or `[at,
 * row, 0, stride, count]`, above it `[at, node]`. Nodes are immutable; versions of a content share them.
 */
export const node = sqliteTable(
  "ws_node",
  {
    id: integer().primaryKey(),
    level: integer().notNull(),
    entries: text().notNull(),
    /** For a root, the root that it was made from, 0 for none; null below a root. */
    origin: integer(),
    /** 1: a root without an owner that stays as long as it connects three others or more. */
    unowned: integer(),
  },
  (t) => [index("ws_node_origin").on(t.origin).where(sql`origin > 0`)],
);

/** The format before `ws_node`: JSON `[[row, offset, length, count], …]`. Maintenance converts it. */
export const layout = sqliteTable(
  "ws_layout",
  { id: integer().primaryKey(), family: integer().notNull(), runs: text().notNull() },
  (t) => [index("ws_layout_family").on(t.family)],
);

/** Contents with more than one owner, and how many more. Copies and garbage collection update the count; writes never do. */
export const contentRef = sqliteTable("ws_content_ref", {
  content: integer().primaryKey(),
  extraRefs: integer("extra_refs").notNull(),
});

/** Rows reserved by a stream or handle that has not committed yet. */
export const spool = sqliteTable("ws_spool", {
  first: integer().primaryKey(),
  last: integer().notNull(),
  epoch: text().notNull(),
});

/** Heads of removed trees whose log entry is gone: to be collected. */
export const orphan = sqliteTable("ws_orphan", { ino: integer().primaryKey() });

/** Contents whose last known owner is gone: to be freed. */
export const garbage = sqliteTable("ws_garbage", { content: integer().primaryKey() });

/** The incarnation that wrote the revisions from `first_rev` on. */
export const epoch = sqliteTable("ws_epoch", { firstRev: integer("first_rev").primaryKey(), token: text().notNull() });

/** One row per change: what, where, who, and what it replaced. */
export const log = sqliteTable("ws_log", {
  rev: integer().primaryKey(),
  /** First revision of the transaction; null when it is this one. */
  groupRev: integer("group_rev"),
  time: integer().notNull(),
  op: text({ enum: ["create", "write", "attr", "link", "remove", "rename"] }).notNull(),
  type: integer().notNull(),
  ino: integer().notNull(),
  parent: integer().notNull(),
  /** The path at that time; its last part is the name in `parent`. */
  path: text().notNull(),
  fromParent: integer("from_parent"),
  fromPath: text("from_path"),
  /** Previous entry of the inode, of its directory, of the directory it came from, and of the inode it replaced. */
  prev: integer().notNull(),
  prevParent: integer("prev_parent"),
  prevFrom: integer("prev_from"),
  prevReplaced: integer("prev_replaced"),
  replaced: integer(),
  /** The previous inode: null where unchanged. A null `old_content` with an `old_size` means: a prefix of the same content. */
  oldContent: integer("old_content"),
  oldSize: integer("old_size"),
  oldMode: integer("old_mode"),
  oldMtime: integer("old_mtime"),
  oldContentRev: integer("old_content_rev"),
  parentMtime: integer("parent_mtime"),
  fromMtime: integer("from_mtime"),
  /**
   * Set where the ctime differed from the mtime beside it: of the inode, its directory, the one it came from, the inode it
   * replaced.
   */
  oldCtime: integer("old_ctime"),
  parentCtime: integer("parent_ctime"),
  fromCtime: integer("from_ctime"),
  replacedCtime: integer("replaced_ctime"),
  /** Cumulative bytes that the log keeps alive: the difference of two rows is the amount between them. */
  retainedBytes: integer("retained_bytes").notNull(),
  actor: text(),
  callId: text("call_id"),
});

/** A point in time to return to: the revision that was the newest. A pinned snapshot retains every later entry of the log. */
export const snapshot = sqliteTable("ws_snapshot", {
  id: text().primaryKey(),
  rev: integer().notNull(),
  name: text().notNull(),
  time: integer().notNull(),
  pinned: integer().notNull(),
  actor: text(),
  callId: text("call_id"),
});

/**
 * The trigram index, built by searches and never by writes: some contents and how much of each (`documents`: pairs of doubles,
 * content and length). `bits`: the logarithm of the number of hash values of their trigrams; 0 when they cannot be indexed. `rev`:
 * the newest revision when it was made; it does not cover contents written since.
 */
export const searchSegment = sqliteTable("ws_search_segment", {
  id: integer().primaryKey(),
  bits: integer().notNull(),
  rev: integer().notNull(),
  documents: blob().notNull(),
});

/**
 * A range of a segment's hash values, each with one bit per document: `id` is `segment * 2^20 + number`. Nothing else refers to it.
 */
export const searchBlock = sqliteTable("ws_search_block", { id: integer().primaryKey(), bits: blob().notNull() });

/** A shell execution; `record` is JSON that only packages/shell reads and writes. */
export const exec = sqliteTable("ws_exec", {
  id: text().primaryKey(),
  started: integer().notNull(),
  state: text({ enum: ["running", "exited", "killed", "timedout", "lost"] }).notNull(),
  record: text().notNull(),
});

/** A range of an execution's output: the length of each event, and their bytes here or in the spool file from `at` on. */
export const execPage = sqliteTable(
  "ws_exec_page",
  {
    exec: text().notNull(),
    first: integer().notNull(),
    lengths: blob().notNull(),
    at: integer(),
    bytes: blob(),
    /** Incomplete characters that wait for the rest of their bytes. */
    partialChar: blob("partial_char").notNull(),
  },
  (t) => [primaryKey({ columns: [t.exec, t.first] })],
);

/** The version of a file that an actor last read through the tools, so that no other work is overwritten. */
export const toolRead = sqliteTable(
  "ws_tool_read",
  {
    actor: text().notNull(),
    path: text().notNull(),
    version: text().notNull(),
    contentVersion: text("content_version").notNull(),
  },
  (t) => [primaryKey({ columns: [t.actor, t.path] })],
);

/** A write proposed by an agent, in rows of at most a megabyte. No bytes at all in row 0: the file is to be deleted. */
export const toolProposal = sqliteTable(
  "ws_tool_proposal",
  {
    actor: text().notNull(),
    path: text().notNull(),
    part: integer().notNull(),
    bytes: blob(),
    /** The version it is based on; null: the file must not exist. */
    base: text(),
  },
  (t) => [primaryKey({ columns: [t.actor, t.path, t.part] })],
);

/** Every tool call, including rejected and failed ones; the oldest are deleted when there are many. */
export const toolAudit = sqliteTable("ws_tool_audit", {
  id: integer().primaryKey(),
  time: integer().notNull(),
  actor: text().notNull(),
  callId: text("call_id").notNull(),
  tool: text().notNull(),
  outcome: text({ enum: ["success", "failure", "refused"] }).notNull(),
  code: text().notNull(),
  duration: integer().notNull(),
  input: text().notNull(),
});

/** The number of sub-agents that an agent has started. */
export const toolAgent = sqliteTable("ws_tool_agent", { parent: text().primaryKey(), count: integer().notNull() });

/** Messages between agents that were not received yet. */
export const toolMessage = sqliteTable(
  "ws_tool_message",
  {
    id: integer().primaryKey(),
    recipient: text().notNull(),
    sender: text().notNull(),
    text: text().notNull(),
    time: integer().notNull(),
  },
  (t) => [index("ws_tool_message_recipient").on(t.recipient)],
);

/** When two agents exchanged a message, and when one sent any, for the last minute only. */
export const toolRate = sqliteTable("ws_tool_rate", {
  id: integer().primaryKey(),
  pair: text().notNull(),
  time: integer().notNull(),
});

/** Small facts: the current retention, the position of a sweep. */
export const meta = sqliteTable("ws_meta", { key: text().primaryKey(), value: text().notNull() });

/** What drizzle cannot express in a table definition: tables by the name that their migration created them with. */
export const WITHOUT_ROWID = [
  "ws_dirent",
  "ws_hardlink",
  "ws_meta",
  "ws_snapshot",
  "ws_exec",
  "ws_exec_page",
  "ws_tool_seen",
  "ws_tool_proposal",
  "ws_tool_agent",
];
