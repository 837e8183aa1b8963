/** Every limit of the HTTP surface, by name. Reaching one is reported with a code. */
export const LIMITS = {
  /** One request body, streamed. */
  bodyBytes: 100 * 1024 * 1024,
  /** One JSON request body, which is held in memory. */
  jsonBytes: 1024 * 1024,
  /** Nesting depth of such a body. */
  jsonDepth: 128,
  /** Idle timeout between two chunks of a body. */
  bodyIdleMs: 30_000,
  /** How much of a refused body is still drained, and for how long. */
  drainBytes: 16 * 1024 * 1024,
  refusedBodyMs: 2_000,
  /** A body of known length up to this is read in one piece. */
  shortBody: 64 * 1024,
  /** A file up to this size is sent in one piece. */
  wholeFile: 256 * 1024,
  workspaceName: 64,
  /** Parent directories that one PUT may create. */
  newParents: 64,
  /** Tags in one If-Match or If-None-Match. */
  tags: 64,
  /** Entries per page of a listing: default and maximum. */
  listPage: 1000,
  /** Attempts of a GET to open a file that changes concurrently. */
  openAttempts: 4,
  /** Requests per second of one token, on average and in a burst; per isolate of the Worker. */
  requestsPerSecond: 500,
  requestBurst: 2500,
  /** Failed authentications per second of one address, on average and in a burst; per isolate of the Worker. */
  failuresPerSecond: 0.5,
  failureBurst: 60,
  /** Credentials remembered as accepted; beyond it the least recently used are evicted. */
  acceptedCredentials: 1000,
  /** Tokens and addresses with a rate-limit bucket; beyond it the least recently used are evicted. */
  rateLimitBuckets: 10_000,
  /** Maximum lifetime of the page's session. */
  sessionSeconds: 30 * 24 * 3600,
  /** Lifetime of a preview link, which works once, and of the cookie it is exchanged for. */
  previewLinkSeconds: 300,
  previewSeconds: 12 * 3600,
  /** Concurrent commands of one workspace. */
  executions: 16,
  /** Idle timeout of standard input that is sent in pieces. */
  stdinIdleMs: 300_000,
  /** Interval between heartbeats on a silent stream. */
  heartbeatMs: 15_000,
  /** Total unpacked size of an uploaded archive, and its maximum number of entries. */
  unpackedBytes: 512 * 1024 * 1024,
  archiveEntries: 100_000,
  /** Memory for one archive; a larger archive is staged in the workspace, out of sight. */
  archiveMemory: 16 * 1024 * 1024,
  /** A file up to this size shares a message with others; a larger one is streamed. */
  archiveSmallFile: 1024 * 1024,
  archiveBatch: 4 * 1024 * 1024,
  /** Age at which leftovers of an interrupted upload are removed from staging. */
  stagingMs: 3_600_000,
  /** Live-feed sockets of one workspace, and of one token with those that derive from it. The owner's are not limited. */
  liveSockets: 1024,
  liveSocketsOfToken: 128,
  /** Hits per page of a streamed search; the first page is small so that results appear at once. */
  grepFirstPage: 50,
  grepPage: 1000,
} as const;
