/** Responses of `history` and `snapshots`: the shapes of `workspace.history`, with times in milliseconds as `time`. */
import { z } from "zod";
import { change } from "./changes.ts";

export const historyGroup = z.object({
  group: z.number(),
  actor: z.string().optional(),
  callId: z.string().optional(),
  time: z.number(),
  /** The cursors after and before it, for `history/diff`. */
  cursor: z.string(),
  before: z.string(),
  entries: z.number(),
  ops: z.record(z.string(), z.number()),
  /** At most the first 20. */
  paths: z.array(z.string()),
});
export type HistoryGroup = z.infer<typeof historyGroup>;

/** `entries`, or `groups` with `by=call`. */
export const historyResponse = z.object({
  entries: z.array(change).optional(),
  groups: z.array(historyGroup).optional(),
  cursor: z.string().nullable(),
});
export type HistoryResponse = z.infer<typeof historyResponse>;

/** A tool call: actor, end time, duration, outcome (`code`: of its error, or ""), and its input without secrets and long texts. */
export const toolCall = z.object({
  tool: z.string(),
  callId: z.string(),
  actor: z.string(),
  time: z.number(),
  ms: z.number(),
  outcome: z.enum(["success", "failure", "refused"]),
  code: z.string(),
  /** JSON. */
  input: z.string(),
});
export type ToolCall = z.infer<typeof toolCall>;
export const toolCallsResponse = z.object({ calls: z.array(toolCall), cursor: z.string().nullable() });
export type ToolCallsResponse = z.infer<typeof toolCallsResponse>;

const diffFile = z.looseObject({
  path: z.string(),
  from: z.string().optional(),
  status: z.enum(["added", "removed", "modified", "renamed"]),
  type: z.string(),
  binary: z.boolean().optional(),
  purged: z.boolean().optional(),
  /** In git's patch format. */
  patch: z.string().optional(),
});
export const historyDiffResponse = z.object({ files: z.array(diffFile), truncated: z.boolean() });
export type HistoryDiffResponse = z.infer<typeof historyDiffResponse>;

export const blameResponse = z.object({
  path: z.string(),
  version: z.string(),
  lines: z.array(
    z.object({
      line: z.number(),
      text: z.string(),
      cursor: z.string().optional(),
      time: z.number().optional(),
      actor: z.string().optional(),
      callId: z.string().optional(),
    }),
  ),
});
export type BlameResponse = z.infer<typeof blameResponse>;

export const revertedResponse = z.object({
  changes: z.array(z.looseObject({ path: z.string(), action: z.string() })),
  total: z.number(),
  conflicts: z.array(z.looseObject({ path: z.string(), reason: z.string() })),
  /** Files that the call created and the undo leaves, because later changes may refer to them: objects of a git repository. */
  kept: z.array(z.object({ path: z.string(), files: z.number(), reason: z.string() })).optional(),
  /** Pass it to `undo({ group })` to revert this. */
  group: z.number().nullable(),
  cursor: z.string(),
});
export type RevertedResponse = z.infer<typeof revertedResponse>;

export const snapshotResponse = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  time: z.number(),
  pinned: z.boolean(),
  actor: z.string().optional(),
  callId: z.string().optional(),
});
export type SnapshotResponse = z.infer<typeof snapshotResponse>;
export const snapshotsResponse = z.object({ snapshots: z.array(snapshotResponse) });
export type SnapshotsResponse = z.infer<typeof snapshotsResponse>;
