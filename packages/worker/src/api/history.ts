/** `history` and `snapshots`: changes, their actors, diffs, and undo. */
import { z } from "zod";
import { countText, pathText } from "./path.ts";
import { bodyOptions, queryOptions } from "./verb-options.ts";

const word = z.string().min(1).max(256);

export const historyQuery = z.strictObject({
  /** Default "change". */
  by: z.enum(["change", "call"]).optional(),
  ...queryOptions("history.log"),
  limit: countText(1000).optional(),
});
export const historyDiffQuery = z.strictObject({
  ...queryOptions("history.diff"),
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
  .strictObject(bodyOptions("history.undo"))
  .refine(
    ({ callId, group, path, since, actor }) => [callId, group, path, since, actor].some((one) => one !== undefined),
    "say what to undo: callId, group, path, since or actor",
  );
export type UndoBody = z.input<typeof undoBody>;

export const snapshotBody = z.strictObject({ name: z.string().min(1).optional(), ...bodyOptions("snapshots.create") });
export type SnapshotBody = z.infer<typeof snapshotBody>;
export const restoreBody = z.strictObject(bodyOptions("snapshots.restore"));
export type RestoreBody = z.infer<typeof restoreBody>;
