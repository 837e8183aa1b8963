/** Every bound of the file system, by name. Reaching one is an error with a code, never silence. */
export interface Limits {
  /** A content up to this size is one row. Production refuses rows over 2 MB. */
  rowBytes: number;
  /** Larger contents are rows of this size: a ranged read of a 1 MB row costs four times one of 128 KiB. */
  chunkBytes: number;
  /** Entries of a node of the tree that says where the bytes of a large content are. */
  nodeEntries: number;
  /** A leaf of that tree that is full and covers at most this much becomes one row with the next write to it. */
  denseBytes: number;
  nameBytes: number;
  pathBytes: number;
  symlinks: number;
  fileBytes: number;
  /** `readFile` and `read` hold the whole file; beyond this they refuse and name `readStream`. */
  readFileBytes: number;
  /** All of `writeMany`'s contents together. */
  bulkBytes: number;
  bulkEntries: number;
  /** Estimated bytes of metadata kept in memory. */
  cacheBytes: number;
  /** A directory with more entries than this is never held whole. */
  cachedDirectoryEntries: number;
  openHandles: number;
  /** Unwritten bytes a handle holds before it spools them to rows. */
  handleBytes: number;
  listPage: number;
  changesPage: number;
  globResults: number;
  walkEntries: number;
  /** A step of maintenance reads and writes at most twice as many rows. */
  gcStepRows: number;
  /** What the database may hold. Beyond it history is given up, oldest first; what is then still too much is ENOSPC. */
  databaseBytes: number;
}

export const defaultLimits: Limits = {
  rowBytes: 1024 * 1024,
  chunkBytes: 128 * 1024,
  nodeEntries: 32,
  denseBytes: 16 * 1024,
  nameBytes: 255,
  pathBytes: 4096,
  symlinks: 40,
  fileBytes: 8 * 1024 ** 3,
  readFileBytes: 64 * 1024 * 1024,
  bulkBytes: 64 * 1024 * 1024,
  bulkEntries: 100_000,
  cacheBytes: 16 * 1024 * 1024,
  cachedDirectoryEntries: 4096,
  openHandles: 1024,
  handleBytes: 1024 * 1024,
  listPage: 1000,
  changesPage: 1000,
  globResults: 100_000,
  walkEntries: 5_000_000,
  gcStepRows: 500,
  // Production's 10 GB, less what one transaction may need.
  databaseBytes: 10 * 1000 ** 3 - 64 * 1024 * 1024,
};

/** Every bound of a search. */
export interface SearchLimits {
  /** Hits in an answer, unless asked otherwise. */
  hits: number;
  /** Text in an answer: beyond this it is cut, and says so. */
  answerBytes: number;
  lineBytes: number;
  contextLines: number;
  fileBytes: number;
  /** A match across lines needs the whole file in memory. */
  multilineBytes: number;
  patterns: number;
  patternLength: number;
  /** Of one search, unless asked otherwise. A step is three to ten nanoseconds, and an object has 30 seconds by default. */
  budgetBytes: number;
  budgetSteps: number;
  /** Content read at a time; between two such batches others get in. */
  batchBytes: number;
  batchFiles: number;
  /** Files up to this size are read whole. */
  wholeBytes: number;
  /** Threads of the automaton that are followed to make states of the machine, in one search. */
  budgetThreads: number;
  /** Steps after which a pause is due, and the most without one: where the search cannot pause, it ends there. */
  pauseSteps: number;
  stretchSteps: number;
}

export const searchLimits: SearchLimits = {
  hits: 1000,
  answerBytes: 16 * 1024 * 1024,
  lineBytes: 2000,
  contextLines: 10_000,
  fileBytes: 64 * 1024 * 1024,
  multilineBytes: 8 * 1024 * 1024,
  patterns: 1000,
  patternLength: 64 * 1024,
  budgetBytes: 2 * 1024 ** 3,
  budgetSteps: 2_000_000_000,
  batchBytes: 4 * 1024 * 1024,
  batchFiles: 1000,
  wholeBytes: 8 * 1024 * 1024,
  budgetThreads: 8_000_000,
  pauseSteps: 5_000_000,
  stretchSteps: 60_000_000,
};

/** Every bound of an answer about the past. */
export const historyLimits = {
  /** Entries or groups of one page, unless asked otherwise; and at most. */
  logPage: 100,
  logPageMax: 1000,
  /** Entries read from the log with one statement. */
  readPage: 5000,
  /** Paths named by a group. */
  groupPaths: 20,
  diffFiles: 2000,
  /** Text of all patches together. */
  diffBytes: 4 * 1024 * 1024,
  /** A file larger than this is not compared, blamed or merged line by line. */
  textBytes: 1024 * 1024,
  /** Changes and conflicts that an undo names. */
  reportedChanges: 1000,
  /** States of a file that blame looks at. */
  blameStates: 1000,
  snapshotName: 200,
} as const;

/** What of the past is kept; the oldest entries go first, in small steps. */
export interface Retention {
  days: number;
  entries: number;
  bytes: number;
}

export const defaultRetention: Retention = { days: 30, entries: 100_000, bytes: 1024 ** 3 };
