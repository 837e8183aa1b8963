/** All limits of the Workers RPC wire. The platform refuses a value over 32 MiB; these stay well below it. */
export const RPC_LIMITS = {
  /** Maximum nesting of restricted views. */
  policies: 16,
  /** A body up to this size is sent inside the message; a larger one as a byte stream. */
  inlineBytes: 1024 * 1024,
  /** Maximum that `readFile` and `read` collect from a stream; beyond it the file system's own EFBIG applies. */
  collectBytes: 64 * 1024 * 1024,
  /** One read or write of a remote handle; longer ones take several messages. */
  handleBytes: 8 * 1024 * 1024,
  /** One chunk of a body stream. */
  chunkBytes: 1024 * 1024,
  /** Text longer than this is sent as a stream of UTF-8: two bytes a character must stay below the platform's limit. */
  inlineTextLength: 4 * 1024 * 1024,
  /** Items of an array inside a message; longer results are pages in a stream of frames. */
  inlineItems: 4096,
  /** Items in one page of a directory or of a long result. */
  pageItems: 1000,
  /** Paths in one `readMany`, patterns in one `glob`. */
  listItems: 100_000,
  patternItems: 1000,
  /** Files that `readMany` reads at a time while it streams. */
  readManyItems: 256,
  /** All of `writeMany`'s frames together, and their number. */
  bulkBytes: 96 * 1024 * 1024,
  bulkEntries: 100_000,
  frameHeaderBytes: 1024 * 1024,
  frameBytes: 65 * 1024 * 1024,
  /** Handles and directories that clients hold open on one object. */
  openTargets: 2048,
  /** Pending `watch` calls of one object. */
  watchers: 1024,
  /** The longest that one `watch` call waits for a change. */
  watchWaitMs: 25_000,
  actorLength: 256,
  callIdLength: 256,
} as const;
