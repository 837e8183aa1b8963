/**
 * A change as a restricted view shows it; none if its paths are hidden. A rename across the border of the view becomes an added
 * name (`link`, with everything below it) or a removed one (`remove`).
 */
import type { ChangeOp } from "../api/file-system.ts";
import type { ReadView } from "../volume/views.ts";

interface LoggedPaths {
  readonly op: ChangeOp;
  readonly path: string;
  readonly fromPath: string | null;
}

export function shownChange<Entry extends LoggedPaths>({ rules }: ReadView, entry: Entry): Entry | null {
  if (rules === null || !rules.hides) return entry;
  const { path, fromPath } = entry;
  const isShown = rules.visibility(path) === "visible";
  const wasShown = fromPath !== null && rules.visibility(fromPath) === "visible";
  if (isShown) return fromPath === null || wasShown ? entry : { ...entry, op: "link", fromPath: null };
  return wasShown ? { ...entry, op: "remove", path: fromPath, fromPath: null } : null;
}

/** Whether everything that a change touched is visible. */
export function isWhollyShown({ rules }: ReadView, { path, fromPath }: LoggedPaths): boolean {
  if (rules === null) return true;
  return rules.visibility(path) === "visible" && (fromPath === null || rules.visibility(fromPath) === "visible");
}
