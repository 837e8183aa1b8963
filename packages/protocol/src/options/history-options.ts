/** The options of `history`, `snapshots` and maintenance. */
import type { OptionTable } from "./option-table.ts";

export const logFilter = {
  /** At or under this path, by the paths at that time. */
  path: "path",
  /** Later than this point in time. */
  since: "moment",
  /** Not later than this point in time. */
  until: "moment",
  actor: "text",
  callId: "text",
} as const satisfies OptionTable;

export const logOptions = {
  ...logFilter,
  /** Default 100, at most 1000. */
  limit: "number",
  /** The `cursor` of an earlier answer, to continue where it stopped. */
  cursor: "text",
} as const satisfies OptionTable;

export const diffOptions = {
  from: "moment",
  /** Default "now". */
  to: "moment",
  /** Only files at or under this path. */
  path: "path",
  /** Lines around a change; default 3. */
  context: "number",
  /** Unified diffs of text files; default true. */
  patches: "flag",
} as const satisfies OptionTable;

export const undoOptions = {
  /**
   * Everything this call did. Changes made while other commands ran too are a conflict that names them; with `force` they are
   * reverted as well.
   */
  callId: "text",
  /**
   * The group of an entry, of a `groups` item or of an undo: all consecutive changes of its call, as `groups` shows them, or the
   * transaction if no call is named.
   */
  group: "number",
  /** Alone: the last call that changed something at or under it, and only there. Otherwise a filter. */
  path: "path",
  /** Everything later than this point in time. */
  since: "moment",
  /** Everything of this actor. */
  actor: "text",
  /** Reports what would be done, and changes nothing. */
  dryRun: "flag",
  /** Where a later change touched the same, discard that too. */
  force: "flag",
  /** Where a later change touched the same text, combine both by a three-way merge; text that cannot be merged is a conflict. */
  merge: "flag",
} as const satisfies OptionTable;

export const snapshotOptions = {
  /** Exempt from retention. */
  pinned: "flag",
} as const satisfies OptionTable;

export const restoreOptions = { paths: "paths", dryRun: "flag" } as const satisfies OptionTable;

export const maintainOptions = {
  /** Steps of at most twice `limits.gcStepRows` rows each, read and written; default 1. */
  budget: "positive",
} as const satisfies OptionTable;

export const gcOptions = {
  /** Overrides the volume's own: `{ entries: 0 }` drops all history. */
  retention: {
    days: "bound",
    entries: "bound",
    bytes: "bound",
  },
} as const satisfies OptionTable;

export const fsckOptions = { repair: "flag" } as const satisfies OptionTable;
