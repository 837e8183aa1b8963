/** Rejects pathspecs that lead through a symbolic link or into a submodule. */
import { GitError } from "../errors.ts";
import { MODE_GITLINK } from "../object/file-mode.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import { FIELDS, type IndexTable, MODE } from "./index-table.ts";

export async function checkSymlinks({ fs, workTree }: Repository, pathspec: Pathspec): Promise<void> {
  for (const { match, original, exclude } of pathspec.items) {
    if (exclude) continue;
    for (let slash = match.indexOf("/"); slash > 0 && slash < match.length - 1; slash = match.indexOf("/", slash + 1)) {
      const stat = await fs.lstat(`${workTree}/${match.slice(0, slash)}`).catch(() => null);
      if (stat === null) break;
      if (stat.type === "symlink") throw new GitError("EINVAL", `pathspec '${original}' is beyond a symbolic link`);
    }
  }
}

export function checkGitlinks(table: IndexTable, pathspec: Pathspec): void {
  for (let at = 0; at < table.count; at++) {
    if (table.fields[FIELDS * at + MODE] !== MODE_GITLINK) continue;
    const path = table.paths[at] as string;
    for (const { match, original, exclude } of pathspec.items) {
      if (exclude || !match.startsWith(`${path}/`) || match === `${path}/`) continue;
      throw new GitError("EINVAL", `Pathspec '${original}' is in submodule '${path}'`);
    }
  }
}
