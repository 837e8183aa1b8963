/** One file across renames, for `log --follow`: commits are compared newest first, and a rename changes the name to look for. */
import type { DiffOptions } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import type { DiffResult } from "../../diff/run-diffcore.ts";
import type { Oid } from "../../object/oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";

export class FollowedFile {
  constructor(
    private readonly repo: Repository,
    /** Its name at this point of the history. */
    private path: string,
  ) {}

  async diff(before: Oid | null, after: Oid, options: DiffOptions): Promise<DiffResult> {
    const { path, repo } = this;
    const pathspec = parsePathspec({ ...repo, prefix: "" }, [path], { literal: true });
    const diff = await diffTrees(repo, before, after, { ...options, pathspec });
    if (diff.pairs[0]?.status !== "A") return diff;
    // The file first appears here; it may have had another name before.
    const whole = await diffTrees(repo, before, after, {
      ...options,
      pathspec: null,
      renames: "copies",
      copiesHarder: true,
      onlyTarget: path,
    });
    const pair = whole.pairs.find(
      ({ status, new: { path: name } }) => name === path && (status === "R" || status === "C"),
    );
    if (pair === undefined) return diff;
    this.path = pair.old.path;
    return { ...whole, pairs: [pair] };
  }
}
