/** Undoes an item. A later change is returned as a conflict, with nothing changed; any other outcome is shown in a notice. */
import { asApiError } from "../api/api-error.ts";
import { undo } from "../api/history.ts";
import { notify, notifyError } from "../state/notices.ts";
import { plural } from "../ui/format.ts";
import type { TimelineItem } from "./timeline.ts";

export interface UndoConflict {
  message: string;
  paths: string[];
}

export async function undoItem(
  workspace: string,
  { change, title }: TimelineItem,
  how: { merge?: boolean; force?: boolean },
): Promise<UndoConflict | null> {
  try {
    const { total = 0 } = await undo(workspace, { group: change?.group, ...how });
    const text = total === 0 ? "There is nothing left to take back." : `Undone: ${title} (${plural(total, "change")}).`;
    notify({ kind: "good", text });
  } catch (failure) {
    const error = asApiError(failure);
    if (error.code !== "ECONFLICT") notifyError("Not undone, and nothing was changed", failure);
    else return { message: error.message, paths: conflictPaths(error.refusal) };
  }
  return null;
}

function conflictPaths(refusal: object): string[] {
  const { conflicts } = refusal as { conflicts?: { path: string; reason?: string }[] };
  return (conflicts ?? []).map(({ path, reason }) => (reason === undefined ? path : `${path}: ${reason}`));
}
