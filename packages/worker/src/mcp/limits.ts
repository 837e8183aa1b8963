/** Bounds of the MCP surface; those of every HTTP request (1 MiB of JSON) come before them. */
export const MCP_LIMITS = {
  /** Messages of one batch. */
  batch: 20,
  /** Resources of one page of `resources/list`. */
  page: 200,
  /** Bytes of one resource; a larger file is for the tools, which read by parts. */
  resourceBytes: 1024 * 1024,
  /** Entries of a directory that is read as a resource. */
  directoryEntries: 1000,
  /** Subscriptions of one session. */
  subscriptions: 1000,
  /** Values of one completion: what the protocol allows. */
  completions: 100,
  uriLength: 16_384,
  /** A call that takes longer is answered as a stream, so that nobody on the way takes the silence for the end. */
  jsonTimeoutMs: 2_000,
  /** Between two comments on a stream that has nothing to say. */
  keepAliveMs: 20_000,
  /** Notifications that a slow client has not taken yet; beyond it the stream ends, and is resumed by cursor. */
  streamBacklog: 1000,
  /** A session that is not used ends after so long. */
  sessionIdleMs: 2 * 3600 * 1000,
  /** Open sessions of one principal in a workspace; one more ends its longest unused. */
  sessionsOfPrincipal: 32,
  /** Open sessions of one workspace; one more is refused. */
  sessionsOfWorkspace: 256,
  /** How long a subscription waits for the session's stream to know of it. */
  subscribeWaitMs: 2_000,
} as const;
