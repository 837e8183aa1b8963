/** Every bound of the HTTP surface, by name. Reaching one is an answer with a code, never silence. */
export const LIMITS = {
  /** One request body, streamed. */
  bodyBytes: 100 * 1024 * 1024,
  workspaceName: 64,
  /** Directories that one PUT may make above its file. */
  newParents: 64,
  /** Tags in one If-Match or If-None-Match. */
  tags: 64,
  /** Entries of one page of a listing: the default and the most. */
  listPage: 1000,
  /** How often a GET tries to open a file that changes under it. */
  openAttempts: 4,
} as const;
