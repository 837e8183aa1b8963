/**
 * `--autostash`: stashes local changes before a merge or a rebase, records the stash in a state file, and applies it at the end. If
 * it no longer applies, it becomes an ordinary stash: nothing is lost.
 */

import { GitError } from "../../errors.ts";
import { parseOid } from "../../object/oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { decode } from "../../text/bytes.ts";
import { resetHard } from "../../worktree/reset-hard.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { applyStash } from "./apply-stash.ts";
import { createStash, NeedsMerge } from "./create-stash.ts";
import { findStash } from "./stash-entry.ts";
import { storeStash } from "./stash-list.ts";

export const mergeAutostash = ({ gitDir }: Pick<WorkRepository, "gitDir">) => `${gitDir}/MERGE_AUTOSTASH`;

/** Returns the text to print; "" if there was nothing to stash. */
export async function createAutostash(repo: WorkRepository, file: string): Promise<string> {
  const pathspec = parsePathspec({ ...repo, prefix: "" }, []);
  const created = await createStash(repo, { pathspec, message: "autostash" }).catch((error) => {
    if (!(error instanceof NeedsMerge)) throw error;
    throw new GitError("ESTATE", `${error.lines}fatal: Cannot autostash`, { prefix: "", exitCode: 128 });
  });
  if (created === null) return "";
  await repo.fs.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
  await repo.fs.writeFile(file, `${created.oid}\n`);
  await resetHard(repo, created.headTree);
  return `Created autostash: ${await repo.odb.abbreviate(created.oid)}\n`;
}

/** Applies the autostash; with `onlySave` it only adds it to the stash list. Returns the text for stderr. */
export async function endAutostash(repo: WorkRepository, file: string, onlySave = false): Promise<string> {
  const [bytes] = await repo.fs.readMany([file]);
  const oid = bytes ? parseOid(decode(bytes).trim()) : null;
  if (oid === null) return "";
  const applied = onlySave ? false : await isApplied(repo, oid);
  if (!applied) await storeStash(repo, oid, "autostash");
  await repo.fs.rm(file, { force: true });
  if (applied) return "Applied autostash.\n";
  const why = onlySave ? "Autostash exists; creating a new stash entry." : "Applying autostash resulted in conflicts.";
  return `${why}\nYour changes are safe in the stash.\nYou can run "git stash pop" or "git stash drop" at any time.\n`;
}

async function isApplied(repo: WorkRepository, oid: string): Promise<boolean> {
  try {
    return (await applyStash(repo, await findStash(repo, [oid]))).clean;
  } catch {
    return false;
  }
}
