/** Messages of cherry-pick and revert for a commit that does not apply. */
import { adviceEnabled } from "../config/advice.ts";
import type { LabelledCommit } from "../porcelain/sequencer/commit-label.ts";
import { actionName, type PickAction } from "../porcelain/sequencer/pick-commits.ts";
import type { Repository } from "../repository.ts";

export function pickConflictText(
  { config }: Repository,
  action: PickAction,
  { picked: { short, subject }, noCommit }: { readonly picked: LabelledCommit; readonly noCommit: boolean },
): string {
  const name = actionName(action);
  const lines = noCommit
    ? ["after resolving the conflicts, mark the corrected paths", "with 'git add <paths>' or 'git rm <paths>'"]
    : [
        "After resolving the conflicts, mark them with",
        '"git add/rm <pathspec>", then run',
        `"git ${name} --continue".`,
        `You can instead skip this commit with "git ${name} --skip".`,
        `To abort and get back to the state before "git ${name}",`,
        `run "git ${name} --abort".`,
      ];
  const hints = adviceEnabled(config, "mergeConflict") ? lines.map((line) => `hint: ${line}\n`).join("") : "";
  return `error: could not ${action === "pick" ? "apply" : "revert"} ${short}... ${subject}\n${hints}`;
}
