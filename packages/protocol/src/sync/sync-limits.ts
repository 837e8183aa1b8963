/** All limits of the wire between a workspace and its container. Each side enforces them on the other. */
export const SYNC_LIMITS = {
  /**
   * The newest protocol version; the lower of the two sides' versions is used. From 2 on bodies may be
   * compressed.
   */
  protocol: 2,
  /** One message: a JSON header and a body. */
  messageBytes: 4 * 1024 * 1024,
  headerBytes: 2 * 1024 * 1024,
  /**
   * Contents in one message; together with the limits below, an object holds less than 8 MiB of a tree of any
   * size.
   */
  bodyBytes: 1536 * 1024,
  /** Messages with contents that may be unacknowledged while the next is built. */
  batchesInFlight: 2,
  /** A content up to this size is sent with its entry; a larger one in separate pieces. */
  inlineBytes: 256 * 1024,
  pieceBytes: 1024 * 1024,
  piecesInFlight: 3,
  /** A message with at least this many bytes on the wire measures the link's rate. */
  gaugeBytes: 256 * 1024,
  /** The same on a slow link, where compressed bodies may be small: to detect that it is fast again. */
  gaugeAgainBytes: 64 * 1024,
  /**
   * A link below this rate is slow enough to compress for: about half of the break-even rate (decision 0021).
   */
  slowBytesPerSecond: 10 * 1024 * 1024,
  batchEntries: 1000,
  /** Names in one report: beyond this the last one states how many more there are. */
  reportItems: 1000,
  pathBytes: 4095,
  nameBytes: 255,
  depth: 500,
  policyBytes: 256 * 1024,
  secretLength: 256,
  /** Default budget of the synced tree, in entries and bytes. */
  treeEntries: 200_000,
  treeBytes: 2 * 1024 ** 3,
  idLength: 128,
  commandBytes: 1024 * 1024,
  argvItems: 10_000,
  /** Output that waits for a reader; beyond it the process pauses. */
  outputBytes: 16 * 1024 * 1024,
  outputChunk: 64 * 1024,
  /** Number of ended processes that are remembered. */
  endedProcesses: 1000,
  liveProcesses: 200,
} as const;
