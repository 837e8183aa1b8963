/**
 * `--autostash`: stashes local changes before a merge or a rebase, records the stash in a state file, and applies it at the end. If
 * it no longer applies, it becomes an ordinary stash: nothing is lost.
 */

import { GitError } from "../../errors.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { decode } from "../../text/bytes.ts";
import { resetHard } from "../../worktree/reset-hard.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { applyStash } from "./apply-stash.ts";
import { createStash, NeedsMerge } from "./create-stash.ts";
import { findStash } from "./stash-entry.ts";
import { storeStash } from "./stash-list.ts";

export const mergeAutostash = ({ gitDir }: Pick<WorkRepository, "gitDir">) => `${gitDir}/MERGE_AUTOSTASH`;

/** Null if there was nothing to stash. */
export async function createAutostash(repo: WorkRepository, file: string): Promise<Oid | null> {
  const pathspec = parsePathspec({ ...repo, prefix: "" }, []);
  const created = await createStash(repo, { pathspec, message: "autostash" }).catch((error) => {
    if (!(error instanceof NeedsMerge)) throw error;
    throw new GitError("ESTATE", `${error.lines}fatal: Cannot autostash`, { prefix: "", exitCode: 128 });
  });
  if (created === null) return null;
  await repo.fs.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
  await repo.fs.writeFile(file, `${created.oid}\n`);
  await resetHard(repo, created.headTree);
  return created.oid;
}

/** How an autostash ended: "saved" and "conflicts" leave it in the list of stashes. Null: there was none. */
export type AutostashEnd = "applied" | "saved" | "conflicts" | null;

/** Applies the autostash; with `onlySave` it only adds it to the stash list. */
export async function endAutostash(repo: WorkRepository, file: string, onlySave = false): Promise<AutostashEnd> {
  const [bytes] = await repo.fs.readMany([file]);
  const oid = bytes ? parseOid(decode(bytes).trim()) : null;
  if (oid === null) return null;
  const applied = onlySave ? false : await isApplied(repo, oid);
  if (!applied) await storeStash(repo, oid, "autostash");
  await repo.fs.rm(file, { force: true });
  return applied ? "applied" : onlySave ? "saved" : "conflicts";
}

async function isApplied(repo: WorkRepository, oid: string): Promise<boolean> {
  try {
    return (await applyStash(repo, await findStash(repo, [oid]))).clean;
  } catch {
    return false;
  }
}
