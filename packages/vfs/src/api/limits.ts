/** Every limit of the file system, by name. Reaching one is an error with a code, never silent. */
export interface Limits {
  /** A content up to this size is one row. Production refuses rows over 2 MB. */
  rowBytes: number;
  /** Larger contents are rows of this size: a ranged read of a 1 MB row costs four times one of 128 KiB. */
  chunkBytes: number;
  /** Entries per node of the extent tree of a large content. */
  nodeEntries: number;
  /** A full leaf of that tree that covers at most this much becomes one row with the next write to it. */
  denseBytes: number;
  nameBytes: number;
  pathBytes: number;
  symlinks: number;
  fileBytes: number;
  /** `readFile` and `read` return the whole file; beyond this size they fail and suggest `readStream`. */
  readFileBytes: number;
  /** Total size of all contents of one `writeMany`. */
  bulkBytes: number;
  bulkEntries: number;
  /** Estimated bytes of metadata cached in memory. */
  cacheBytes: number;
  /** A directory with more entries than this is never cached whole. */
  cachedDirectoryEntries: number;
  openHandles: number;
  /** Unwritten bytes that a handle buffers before it spools them to rows. */
  handleBytes: number;
  listPage: number;
  changesPage: number;
  globResults: number;
  walkEntries: number;
  /** A maintenance step reads and writes at most twice as many rows. */
  gcStepRows: number;
  /**
   * Maximum size of the database. Beyond it the oldest history is dropped first; if that is not enough, writes fail with ENOSPC.
   */
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
  // Production's 10 GB, less the space that one transaction may need.
  databaseBytes: 10 * 1000 ** 3 - 64 * 1024 * 1024,
};

/** Every limit of a search. */
export interface SearchLimits {
  /** Default number of hits in an answer. */
  hits: number;
  /** Maximum text in an answer: beyond it the answer is cut and marked. */
  answerBytes: number;
  lineBytes: number;
  contextLines: number;
  fileBytes: number;
  /** A match across lines needs the whole file in memory. */
  multilineBytes: number;
  patterns: number;
  patternLength: number;
  /** Default budget of one search. A step takes three to ten nanoseconds, and an object has 30 seconds by default. */
  budgetBytes: number;
  budgetSteps: number;
  /** Content read per batch; other requests can run between two batches. */
  batchBytes: number;
  batchFiles: number;
  /** Files up to this size are read whole. */
  wholeBytes: number;
  /** NFA threads followed to build DFA states, in one search. */
  budgetThreads: number;
  /** Steps after which a pause is due, and the maximum without one: where the search cannot pause, it ends there. */
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

/** Every limit of a history answer. */
export const historyLimits = {
  /** Entries or groups per page: default and maximum. */
  logPage: 100,
  logPageMax: 1000,
  /** Entries read from the log with one statement. */
  readPage: 5000,
  /** Paths named by a group. */
  groupPaths: 20,
  diffFiles: 2000,
  /** Total text of all patches. */
  diffBytes: 4 * 1024 * 1024,
  /** A file larger than this is not compared, blamed or merged line by line. */
  textBytes: 1024 * 1024,
  /** Changes and conflicts that an undo lists. */
  reportedChanges: 1000,
  /** States of a file that blame reads. */
  blameStates: 1000,
  snapshotName: 200,
} as const;

/** How much history is retained; the oldest entries are dropped first, in small steps. */
export interface Retention {
  days: number;
  entries: number;
  bytes: number;
}

export const defaultRetention: Retention = { days: 30, entries: 100_000, bytes: 1024 ** 3 };
