/** Every bound of the wire between a workspace and its container, by name. Both sides hold the other to them. */
export const SYNC_LIMITS = {
  /** The newest version of the protocol; the older of the two sides' decides. From 2 on bodies may be packed. */
  protocol: 2,
  /** One message: a JSON header and a body. */
  messageBytes: 4 * 1024 * 1024,
  headerBytes: 2 * 1024 * 1024,
  /** Contents in one message; with those below, an object holds less than 8 MiB of a tree of any size. */
  bodyBytes: 1536 * 1024,
  /** Messages with contents that are not answered yet, while the next is made. */
  batchesInFlight: 2,
  /** A content up to this size travels with its entry; a larger one in pieces of its own. */
  inlineBytes: 256 * 1024,
  pieceBytes: 1024 * 1024,
  piecesInFlight: 3,
  /** A message with so many bytes on the wire tells how fast the link is. */
  gaugeBytes: 256 * 1024,
  /** The same on a slow link, where what is packed may be small: to see that it is fast again. */
  gaugeAgainBytes: 64 * 1024,
  /** A link below this is slow enough to compress for: about half of where it breaks even (decision 0021). */
  slowBytesPerSecond: 10 * 1024 * 1024,
  batchEntries: 1000,
  /** Names in one report: beyond this the last one says how many more there are. */
  reportItems: 1000,
  pathBytes: 4095,
  nameBytes: 255,
  depth: 500,
  policyBytes: 256 * 1024,
  secretLength: 256,
  /** Default budget of what is synced, in entries and bytes. */
  treeEntries: 200_000,
  treeBytes: 2 * 1024 ** 3,
  idLength: 128,
  commandBytes: 1024 * 1024,
  argvItems: 10_000,
  /** Output that waits for a reader; beyond it the process waits too. */
  outputBytes: 16 * 1024 * 1024,
  outputChunk: 64 * 1024,
  /** Processes whose end is remembered. */
  endedProcesses: 1000,
  liveProcesses: 200,
} as const;
