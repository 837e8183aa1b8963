/** `A...B` as a single commit, for `branch`, `checkout` and `rebase --onto`: the merge base. A missing side is HEAD. */
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { mergeBases } from "./merge-base.ts";
import { findCommit } from "./resolve-revision.ts";

/** All merge bases; null: not of that form, or a side is not a commit. */
export async function resolveMergeBase(repo: Repository, text: string): Promise<readonly Oid[] | null> {
  const [, left, right] = /^(.*?)\.\.\.(.*)$/s.exec(text) ?? [];
  if (left === undefined || right === undefined) return null;
  const [a, b] = [await findCommit(repo, left || "HEAD"), await findCommit(repo, right || "HEAD")];
  return a !== null && b !== null ? mergeBases(repo, a, [b]) : null;
}
