/**
 * `--remerge-diff`: compares a merge commit with the merge that git would make. The merge happens in memory; its messages about a
 * path appear in that path's header, even if nothing else differs.
 */

import type { DiffOptions } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import { type FilePair, missingFile } from "../../diff/file-pair.ts";
import type { DiffResult } from "../../diff/run-diffcore.ts";
import { mergeCommits } from "../../merge/merge-commits.ts";
import { commitSubject } from "../../message/commit-message.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import { overlayObjects } from "../../odb/memory-objects.ts";
import type { Repository } from "../../repository.ts";
import { mergeBases } from "../../revision/merge-base.ts";

export async function remergeDiff(
  repo: Repository,
  [ours, theirs]: readonly [Oid, Oid],
  tree: Oid,
  options: DiffOptions,
): Promise<DiffResult> {
  const scratch: Repository = { ...repo, odb: overlayObjects(repo.odb) };
  const bases = await mergeBases(repo, ours, [theirs]);
  const labels = { ours: await label(repo, ours), theirs: await label(repo, theirs) };
  const merged = await mergeCommits(scratch, ours, theirs, bases, labels);
  const diff = await diffTrees(scratch, merged.tree, tree, options);
  return { ...diff, inPatch: withConflicts(diff.pairs, merged.messagesByPath, options) };
}

async function label({ odb }: Repository, oid: Oid): Promise<string> {
  const { message } = parseCommit((await odb.need(oid, "commit")).body);
  return `${await odb.abbreviate(oid)} (${commitSubject(message)})`;
}

function withConflicts(
  pairs: readonly FilePair[],
  reported: ReadonlyMap<string, readonly string[]>,
  { filter, pickaxe, pathspec }: DiffOptions,
): FilePair[] {
  const all: FilePair[] = [];
  const left = new Map<string, string[]>();
  for (const [path, messages] of reported) {
    const conflicts = messages.filter((text) => text.startsWith("CONFLICT")).map((text) => `remerge ${text}`);
    if (conflicts.length > 0) left.set(path, conflicts);
  }
  for (const pair of pairs) {
    const headers = left.get(pair.old.path);
    left.delete(pair.old.path);
    all.push(headers ? { ...pair, headers } : pair);
  }
  const isDisplayed =
    filter === null ? true : !filter.exclude.has("U") && (filter.include.size === 0 || filter.include.has("U"));
  for (const [path, headers] of isDisplayed && pickaxe === null ? left : []) {
    if (pathspec && !pathspec.matches(path, { quiet: true })) continue;
    all.push({ old: missingFile(path), new: missingFile(path), status: "U", score: 0, headers });
  }
  return all.sort((a, b) => (a.old.path < b.old.path ? -1 : a.old.path > b.old.path ? 1 : 0));
}
