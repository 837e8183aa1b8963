/** `history` and `snapshots`: changes, their actors, diffs, and undo. */
import { z } from "zod";
import { countText, pathText, versionText } from "./path.ts";

const word = z.string().min(1).max(256);

export const historyQuery = z.strictObject({
  /** Default "change". */
  by: z.enum(["change", "call"]).optional(),
  path: pathText.optional(),
  since: versionText.optional(),
  actor: word.optional(),
  callId: word.optional(),
  cursor: z.string().min(1).max(1000).optional(),
  limit: countText(1000).optional(),
});
export const historyDiffQuery = z.strictObject({
  from: z.string().min(1).max(256).optional(),
  to: z.string().min(1).max(256).optional(),
  path: pathText.optional(),
  callId: word.optional(),
});
/** `cursor`: from the previous page. */
export const toolCallsQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional(),
  limit: countText(1000).optional(),
});
export const blameQuery = z.strictObject({ path: pathText });
export const undoBody = z
  .strictObject({
    callId: word.optional(),
    /** The group of a change, of a call's changes, or of an undo. */
    group: z.int().min(1).optional(),
    path: pathText.optional(),
    since: versionText.optional(),
    actor: word.optional(),
    dryRun: z.boolean().optional(),
    force: z.boolean().optional(),
    merge: z.boolean().optional(),
  })
  .refine(
    ({ callId, group, path, since, actor }) => [callId, group, path, since, actor].some((one) => one !== undefined),
    "say what to undo: callId, group, path, since or actor",
  );
export type UndoBody = z.input<typeof undoBody>;

export const snapshotBody = z.strictObject({
  name: z.string().min(1).max(256).optional(),
  /** Exempt from retention. */
  pinned: z.boolean().optional(),
});
export type SnapshotBody = z.infer<typeof snapshotBody>;
export const restoreBody = z.strictObject({
  paths: z.array(pathText).min(1).max(10_000).optional(),
  dryRun: z.boolean().optional(),
});
export type RestoreBody = z.infer<typeof restoreBody>;
