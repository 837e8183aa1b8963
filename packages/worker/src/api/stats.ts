/** `stats`, for a dashboard: the workspace's size, its activity over time, and the cost of each kind of call. */
import { z } from "zod";

export const statsResponse = z.object({
  bytes: z.number(),
  files: z.number(),
  directories: z.number(),
  symlinks: z.number(),
  /** Of the object's whole database. */
  databaseBytes: z.number(),
  /** Changes per hour in the last 48 hours, oldest first, without empty hours. `time`: the hour's start, in milliseconds. */
  operations: z.array(z.object({ time: z.number(), changes: z.number(), calls: z.number() })),
  /** The scan reached its limit: the oldest hours are missing. */
  operationsCut: z.boolean(),
  /** Cost by kind of call, since the first call to the workspace. */
  costs: z.array(
    z.object({
      kind: z.string(),
      calls: z.number(),
      errors: z.number(),
      totalMs: z.number(),
      maxMs: z.number(),
      rowsRead: z.number(),
      rowsWritten: z.number(),
    }),
  ),
  /**
   * The cost of each recent call that changed something or has an id, oldest first. For a call without an id, `revs` are the first
   * and the last number that its groups in `history?by=call` can have.
   */
  recent: z.array(
    z.object({
      callId: z.string().optional(),
      revs: z.object({ first: z.number(), last: z.number() }).optional(),
      kind: z.string(),
      ms: z.number(),
      rowsRead: z.number(),
      rowsWritten: z.number(),
    }),
  ),
  /** Start of the cost count, in milliseconds. */
  since: z.number(),
});
export type StatsResponse = z.infer<typeof statsResponse>;
