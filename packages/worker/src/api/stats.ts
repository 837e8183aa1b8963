/** `stats`, for a dashboard: how large the workspace is, what was done with it over time, and what each kind of call costs. */
import { z } from "zod";

export const statsResponse = z.object({
  bytes: z.number(),
  files: z.number(),
  directories: z.number(),
  symlinks: z.number(),
  /** Of the object's database, everything it keeps included. */
  databaseBytes: z.number(),
  /** Changes per hour, oldest first, of the last 48 hours; hours without any are left out. `time`: the hour's start, in milliseconds. */
  operations: z.array(z.object({ time: z.number(), changes: z.number(), calls: z.number() })),
  /** There were more changes than are looked at: the oldest hours are missing. */
  operationsCut: z.boolean(),
  /** By kind of call, since the workspace was first called: what it cost. */
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
   * The last calls that changed something or have an id, oldest first: what each cost. Of one without an id, `revs` are the first and
   * the last number that its groups in `history?by=call` can have.
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
  /** Since when costs are counted, in milliseconds. */
  since: z.number(),
});
export type StatsResponse = z.infer<typeof statsResponse>;
