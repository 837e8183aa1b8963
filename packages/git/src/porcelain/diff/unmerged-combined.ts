/** Unmerged files as `diff` shows them: the work tree against our and their side at once. */
import type { CombinedPath } from "../../diff/diff-combined.ts";
import type { WorkTreePairs } from "../../diff/diff-index.ts";
import { FileContents } from "../../diff/file-contents.ts";
import { exists, type FilePair } from "../../diff/file-pair.ts";
import { FIELDS, MODE, oidAt, stageAt } from "../../index/index-table.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";

/** Removes paths that have both sides from `pairs`. */
export async function unmergedCombined(
  repo: Repository,
  { index, comparison }: WorkTreePairs,
  pairs: readonly FilePair[],
): Promise<{ pairs: FilePair[]; combined: CombinedPath[] }> {
  const combined: CombinedPath[] = [];
  const contents = new FileContents(repo);
  const { table } = index;
  const taken = new Set<string>();
  for (const { unmerged, new: work } of pairs) {
    if (!unmerged) continue;
    const { path, mode } = work;
    const sides: { mode: number; oid: Oid; status: "M"; path: string }[] = [];
    for (let at = table.paths.indexOf(path); table.paths[at] === path; at++) {
      if (stageAt(table, at) < 2) continue;
      sides.push({ mode: table.fields[FIELDS * at + MODE] as number, oid: oidAt(table, at), status: "M", path });
    }
    if (sides.length !== 2) continue;
    taken.add(path);
    const stat = comparison.unmerged.get(path);
    const content = exists(work) && stat ? await contents.content({ path, mode, oid: null, stat }) : null;
    combined.push({ path, mode, oid: null, parents: sides, worktree: { content } });
  }
  return { pairs: pairs.filter((pair) => !taken.has(pair.new.path)), combined };
}
