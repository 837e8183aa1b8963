/** Removes files from the work tree, and directories that become empty, as git does. */
import type { WorkRepository } from "./work-tree-stats.ts";
import { WorkTreeStats } from "./work-tree-stats.ts";

const BATCH = 500;

export async function removeFiles(repo: WorkRepository, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const { fs, workTree } = repo;
  const survey = new WorkTreeStats(repo);
  const present: string[] = [];
  for (const path of paths) {
    const stat = await survey.statOf(path);
    // A directory there is a submodule, or contains files that must not be removed.
    if (stat !== null && stat.type !== "dir") present.push(path);
  }
  for (let at = 0; at < present.length; at += BATCH) {
    const batch = present.slice(at, at + BATCH);
    await fs.writeMany(batch.map((path) => ({ path: `${workTree}/${path}`, type: "remove" })));
  }
  await removeEmptyDirectories(repo, paths);
}

/** Removes empty directories above these paths, the deepest first. The command's own directory stays, as in git. */
async function removeEmptyDirectories(repo: WorkRepository, paths: readonly string[]): Promise<void> {
  const { fs, workTree, originalCwd = repo.prefix } = repo;
  const directories = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const directory = path.slice(0, slash);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  const retained = new Set<string>();
  for (const directory of [...directories].sort((a, b) => depth(b) - depth(a))) {
    if (retained.has(directory) || originalCwd.startsWith(`${directory}/`)) continue;
    try {
      await fs.rmdir(`${workTree}/${directory}`);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== "ENOTEMPTY" && code !== "ENOENT" && code !== "ENOTDIR" && code !== "EEXIST") throw error;
      if (code === "ENOENT" || code === "ENOTDIR") continue;
      for (let slash = directory.lastIndexOf("/"); slash > 0; slash = directory.lastIndexOf("/", slash - 1)) {
        retained.add(directory.slice(0, slash));
      }
    }
  }
}

function depth(path: string): number {
  return path.split("/").length;
}
