/** `git.stash()`: saves local changes, lists what was saved, and restores it. */
import { GitError } from "../errors.ts";
import { parsePathspec } from "../pathspec/pathspec.ts";
import { applyStash } from "../porcelain/stash/apply-stash.ts";
import { NeedsMerge } from "../porcelain/stash/create-stash.ts";
import { pushStash } from "../porcelain/stash/push-stash.ts";
import { findStash, refuseUnlisted } from "../porcelain/stash/stash-entry.ts";
import { clearStashes, dropStash, type ListedStash, listStashes } from "../porcelain/stash/stash-list.ts";
import type { Call, CallOptions, WorkRepository } from "./call.ts";

export interface StashOptions extends CallOptions {
  readonly action: "push" | "pop" | "apply" | "drop" | "clear" | "list";
  readonly message?: string;
  readonly includeUntracked?: boolean;
  readonly keepIndex?: boolean;
  /** "stash@{1}". */
  readonly stash?: string;
}

/** The remaining stashes, newest first. Throws ECONFLICT if one applied with conflicts; it stays in the list then. */
export async function stash(call: Call, options: StashOptions): Promise<ListedStash[]> {
  const repo = await call.workTree();
  await act(repo, options).catch((error) => {
    if (!(error instanceof NeedsMerge)) throw error;
    throw new GitError("ESTATE", error.lines.trimEnd(), { prefix: "", exitCode: 1, cause: error });
  });
  return listStashes(repo);
}

async function act(repo: WorkRepository, { action, stash: name, ...options }: StashOptions): Promise<void> {
  switch (action) {
    case "list":
      return;
    case "clear":
      return clearStashes(repo);
    case "push": {
      const { message = "", includeUntracked, keepIndex = false } = options;
      const untracked = includeUntracked ? "yes" : "no";
      await pushStash(repo, { pathspec: parsePathspec(repo, []), untracked, message, quiet: true, keepIndex });
      return;
    }
    case "apply":
    case "pop":
    case "drop": {
      const found = await findStash(repo, name === undefined ? [] : [name]);
      if (action !== "apply") refuseUnlisted(found);
      if (action !== "drop") {
        const { clean, output, errors } = await applyStash(repo, found);
        if (!clean) throw new GitError("ECONFLICT", `${output}${errors}`.trimEnd(), { prefix: "", exitCode: 1 });
      }
      if (action !== "apply") await dropStash(repo, found.name);
      return;
    }
    default:
      throw new GitError("EINVAL", `unknown action '${action satisfies never}'`);
  }
}
