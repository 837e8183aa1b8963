/**
 * A commit's change as text that is equal for equal changes: added and removed lines without white space, line numbers and ids.
 * Merges and commits without changes have none.
 */

import { diffDefaults } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import { writeDiff } from "../../patch/patch-writer.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import type { CommitNode } from "../../revision/commit-node.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { concat, decode } from "../../text/bytes.ts";

export async function patchIdOf(
  repo: Repository,
  { tree, parents }: CommitNode,
  pathspec: Pathspec | null = null,
): Promise<string | null> {
  const [parent] = parents;
  if (parents.length > 1) return null;
  const before = parent === undefined ? null : commitTreeOid((await repo.odb.need(parent, "commit")).body);
  const options = {
    ...diffDefaults(repo.config, { porcelain: false }),
    formats: new Set(["patch"] as const),
    fullIndex: true,
    pathspec,
  };
  const diff = await diffTrees(repo, before, tree, options);
  if (diff.pairs.length === 0) return null;
  const pieces: Uint8Array[] = [];
  await writeDiff((piece) => pieces.push(piece), diff, options);
  const lines = decode(concat(pieces)).split("\n");
  return (
    lines
      // For binary files the ids are the only difference.
      .filter((line, i) => !/^(@@|index) /.test(line) || lines[i + 1]?.startsWith("Binary files ") === true)
      .map((line) => line.replace(/\s+/g, () => ""))
      .join("\n")
  );
}
