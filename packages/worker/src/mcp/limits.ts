/** Limits of the MCP surface; those of every HTTP request (1 MiB of JSON) apply first. */
export const MCP_LIMITS = {
  /** Messages per batch. */
  batch: 20,
  /** Resources per page of `resources/list`. */
  page: 200,
  /** Bytes of one resource; for a larger file there are the tools, which read it in parts. */
  resourceBytes: 1024 * 1024,
  /** Entries of a directory that is read as a resource. */
  directoryEntries: 1000,
  /** Subscriptions per session. */
  subscriptions: 1000,
  /** Values per completion: the protocol's limit. */
  completions: 100,
  uriLength: 16_384,
  /** A slower call is answered as a stream, so that no proxy takes the silence for a dead connection. */
  jsonTimeoutMs: 2_000,
  /** Interval between comments on an idle stream. */
  keepAliveMs: 20_000,
  /** Notifications queued for a slow client; beyond it the stream ends, and the client resumes by cursor. */
  streamBacklog: 1000,
  /** Idle timeout of a session. */
  sessionIdleMs: 2 * 3600 * 1000,
  /** Open sessions of one principal in a workspace; one more ends its least recently used. */
  sessionsOfPrincipal: 32,
  /** Open sessions of one workspace; one more is refused. */
  sessionsOfWorkspace: 256,
  /** How long a subscription waits for the session's stream to acknowledge it. */
  subscribeWaitMs: 2_000,
} as const;
