/** git's advice for a rejected push. */
import { adviceEnabled, hint } from "../config/advice.ts";
import type { GitConfig } from "../config/git-config.ts";
import type { PushedRef } from "../porcelain/push/push.ts";

const NOTE = "See the 'Note about fast-forwards' in 'git push --help' for details.";

export function pushHints(config: GitConfig, rejected: readonly PushedRef[], branch: string | null): string {
  if (!adviceEnabled(config, "pushUpdateRejected")) return "";
  const because = (reason: string) => rejected.filter((ref) => ref.kind === "rejected" && ref.reason === reason);
  const behind = because("non-fast-forward");
  if (behind.length > 0) {
    const current = behind.some(({ target }) => target === `refs/heads/${branch}`);
    if (current && adviceEnabled(config, "pushNonFFCurrent")) {
      return hint(
        `Updates were rejected because the tip of your current branch is behind\nits remote counterpart. Integrate the remote changes (e.g.\n'git pull ...') before pushing again.\n${NOTE}`,
      );
    }
    if (adviceEnabled(config, "pushNonFFMatching")) {
      return hint(
        `Updates were rejected because a pushed branch tip is behind its remote\ncounterpart. Check out this branch and integrate the remote changes\n(e.g. 'git pull ...') before pushing again.\n${NOTE}`,
      );
    }
  }
  if (because("already exists").length > 0 && adviceEnabled(config, "pushAlreadyExists"))
    return hint("Updates were rejected because the tag already exists in the remote.");
  if (because("fetch first").length > 0 && adviceEnabled(config, "pushFetchFirst")) {
    return hint(
      `Updates were rejected because the remote contains work that you do\nnot have locally. This is usually caused by another repository pushing\nto the same ref. You may want to first integrate the remote changes\n(e.g., 'git pull ...') before pushing again.\n${NOTE}`,
    );
  }
  if (because("needs force").length > 0 && adviceEnabled(config, "pushNeedsForce")) {
    return hint(
      "You cannot update a remote ref that points at a non-commit object,\nor update a remote ref to make it point at a non-commit object,\nwithout using the '--force' option.\n",
    );
  }
  if (because("remote ref updated since checkout").length > 0 && adviceEnabled(config, "pushRefNeedsUpdate")) {
    return hint(
      "Updates were rejected because the tip of the remote-tracking\nbranch has been updated since the last checkout. You may want\nto integrate those changes locally (e.g., 'git pull ...')\nbefore forcing an update.",
    );
  }
  return "";
}
