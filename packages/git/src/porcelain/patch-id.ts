/**
 * What a commit changes, as text that is the same for the same change: lines added and removed without white space, without line
 * numbers and ids. Merges and commits that change nothing have none.
 */
import { concat, decode } from "../bytes.ts";
import { diffDefaults } from "../diff/diff-options.ts";
import { diffTrees } from "../diff/diff-trees.ts";
import { writeDiff } from "../format/patch-writer.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import type { CommitNode } from "../revision/commit-node.ts";
import { commitTreeOid } from "../revision/peel.ts";

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
      // Of what is binary the ids are all there is to tell.
      .filter((line, i) => !/^(@@|index) /.test(line) || lines[i + 1]?.startsWith("Binary files ") === true)
      .map((line) => line.replace(/\s+/g, () => ""))
      .join("\n")
  );
}
