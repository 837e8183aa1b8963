/** The statistics and summary after a merge, from the old HEAD to the new one. */
import { diffDefaults } from "../../../diff/diff-options.ts";
import { diffTrees } from "../../../diff/diff-trees.ts";
import type { Oid } from "../../../object/oid.ts";
import { writeDiff } from "../../../patch/patch-writer.ts";
import type { Repository } from "../../../repository.ts";
import { commitTreeOid } from "../../../revision/peel.ts";
import type { CommandContext } from "../../framework/command.ts";
import { terminalColumns } from "../diff/show-diff.ts";

export async function showStat(context: CommandContext, repo: Repository, from: Oid | null, to: Oid): Promise<void> {
  const tree = async (oid: Oid) => commitTreeOid((await repo.odb.need(oid, "commit")).body);
  const options = {
    ...diffDefaults(repo.config),
    renames: "renames" as const,
    formats: new Set(["stat", "summary"] as const),
  };
  const diff = await diffTrees(repo, from === null ? null : await tree(from), await tree(to), options);
  await writeDiff(context.out, diff, options, { columns: terminalColumns(context) });
}
