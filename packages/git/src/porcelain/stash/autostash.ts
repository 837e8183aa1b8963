/**
 * `--autostash`: local changes are put away before a merge or a rebase, noted in a file of its state, and brought back when it is over. When
 * they do not fit any more they become an ordinary stash: nothing is lost.
 */
import { decode } from "../../bytes.ts";
import { GitError } from "../../errors.ts";
import { parseOid } from "../../oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { resetHard } from "../../worktree/reset-hard.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { applyStash } from "./apply-stash.ts";
import { createStash, NeedsMerge } from "./create-stash.ts";
import { findStash } from "./stash-entry.ts";
import { storeStash } from "./stash-list.ts";

export const mergeAutostash = ({ gitDir }: Pick<WorkRepository, "gitDir">) => `${gitDir}/MERGE_AUTOSTASH`;

/** What to print; "" when there was nothing to put away. */
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

/** Brings it back; with `onlySave` it is listed as a stash and left at that. What to print on stderr. */
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
