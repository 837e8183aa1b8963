/** Every bound of the HTTP surface, by name. Reaching one is an answer with a code, never silence. */
export const LIMITS = {
  /** One request body, streamed. */
  bodyBytes: 100 * 1024 * 1024,
  /** One request body that is JSON, and so held in memory. */
  jsonBytes: 1024 * 1024,
  /** Lists and objects within each other in such a body. */
  jsonDepth: 128,
  /** A body may pause so long between two of its chunks. */
  bodyPauseMs: 30_000,
  /** So much of a body that is refused is still read, and for so long. */
  drainBytes: 16 * 1024 * 1024,
  refusedBodyMs: 2_000,
  /** A body of a known length up to this is taken in one piece. */
  shortBody: 64 * 1024,
  /** A file up to this size is answered in one piece. */
  wholeFile: 256 * 1024,
  workspaceName: 64,
  /** Directories that one PUT may make above its file. */
  newParents: 64,
  /** Tags in one If-Match or If-None-Match. */
  tags: 64,
  /** Entries of one page of a listing: the default and the most. */
  listPage: 1000,
  /** How often a GET tries to open a file that changes under it. */
  openAttempts: 4,
  /** Requests of one token a second, in the long run and at once; in one isolate of the Worker. */
  requestsPerSecond: 500,
  requestBurst: 2500,
  /** Failed attempts of one address to come in: a second in the long run, and at once; in one isolate of the Worker. */
  failuresPerSecond: 0.5,
  failureBurst: 60,
  /** Credentials that are remembered as accepted; beyond it the longest unused are forgotten. */
  acceptedCredentials: 1000,
  /** Tokens and addresses whose rate is remembered; beyond it the longest unused are forgotten. */
  rateLimitBuckets: 10_000,
  /** A session of the page ends after so long at the latest. */
  sessionSeconds: 30 * 24 * 3600,
  /** A link to a preview works so long, and once; the cookie it is exchanged for so long. */
  previewLinkSeconds: 300,
  previewSeconds: 12 * 3600,
  /** Commands at once in one workspace. */
  executions: 16,
  /** Standard input that is sent in pieces may pause so long. */
  stdinIdleMs: 300_000,
  /** Between two signs of life on a silent stream. */
  heartbeatMs: 15_000,
  /** All files of an uploaded archive together, unpacked, and how many entries it may have. */
  unpackedBytes: 512 * 1024 * 1024,
  archiveEntries: 100_000,
  /** What is held in memory of an archive; beyond it, it is staged in the workspace, out of sight. */
  archiveMemory: 16 * 1024 * 1024,
  /** A file up to this size is written with others in one message; a larger one is streamed. */
  archiveSmallFile: 1024 * 1024,
  archiveBatch: 4 * 1024 * 1024,
  /** What a lost upload has staged is removed after so long. */
  stagingMs: 3_600_000,
  /** Watchers of one workspace's live feed. */
  liveSockets: 1024,
  /** Hits of a streamed search that are fetched at a time; the first page is small so that something is seen at once. */
  grepFirstPage: 50,
  grepPage: 1000,
} as const;
