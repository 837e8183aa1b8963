/**
 * Moves what belongs to a submodule besides its directory, for `git mv`: its gitfile and its repository's `core.worktree`, which
 * name each other by relative paths, and its `path` in .gitmodules. Checks for obstacles before it moves anything.
 */
import { parseConfig, toLatin1 } from "../../config/config-syntax.ts";
import { setConfigValue } from "../../config/edit-config.ts";
import { editConfigFile } from "../../config/write-config.ts";
import { GitError } from "../../errors.ts";
import { compareEntryStat, modeTrust } from "../../index/compare-stat.ts";
import { nestedGitDirectory } from "../../index/gitlink.ts";
import { hashWorkFiles } from "../../index/hash-work-file.ts";
import type { IndexEditor } from "../../index/index-editor.ts";
import { stagePaths } from "../../index/stage-paths.ts";
import { relativePath } from "../../text/relative-path.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";

const FILE = ".gitmodules";

/** The repository of each submodule by its old path; omits submodules with their own .git directory. */
export async function prepareSubmodules(
  repo: WorkRepository,
  editor: IndexEditor,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const gitDirs = new Map<string, string>();
  if (paths.length === 0) return gitDirs;
  await checkStaged(repo, editor);
  for (const path of paths) {
    const directory = `${repo.workTree}/${path}`;
    const gitDir = await nestedGitDirectory(repo.fs, directory);
    if (gitDir !== null && gitDir !== `${directory}/.git`) gitDirs.set(path, await repo.fs.realpath(gitDir));
  }
  return gitDirs;
}

async function checkStaged(repo: WorkRepository, editor: IndexEditor): Promise<void> {
  const [entry] = editor.at(FILE);
  if (entry === undefined) return;
  if (entry.stage !== 0)
    throw new GitError("ESTATE", "Cannot change unmerged .gitmodules, resolve merge conflicts first");
  const stat = await repo.fs.lstat(`${repo.workTree}/${FILE}`).catch(() => null);
  if (stat === null) return;
  const verdict = compareEntryStat(entry, stat, modeTrust(repo.config));
  const [oid] = verdict === "modified" ? [null] : await hashWorkFiles(repo, [{ path: FILE, stat }]);
  if (oid !== entry.oid)
    throw new GitError("ESTATE", "Please stage your changes to .gitmodules or stash them to proceed");
}

/** Call after the directory has moved. */
export async function connectSubmodule({ host, fs, workTree }: WorkRepository, to: string, gitDir: string) {
  const directory = await fs.realpath(`${workTree}/${to}`);
  await fs.writeFile(`${directory}/.git`, `gitdir: ${between(directory, gitDir)}\n`);
  await editConfigFile(host, { path: `${gitDir}/config` }, (text) =>
    setConfigValue(text, "core.worktree", between(gitDir, directory), { file: `${gitDir}/config` }),
  );
}

/** The relative path between two absolute directories. */
function between(from: string, to: string): string {
  return relativePath(to.slice(1), `${from.slice(1)}/`);
}

/** Call once after all moves; stages the file if it changed. */
export async function renameInGitmodules(
  repo: WorkRepository,
  editor: IndexEditor,
  moves: readonly { readonly from: string; readonly to: string }[],
): Promise<void> {
  const { host, fs, workTree, warn } = repo;
  const path = `${workTree}/${FILE}`;
  const [content] = await fs.readMany([path]);
  if (!content) return;
  let edited = toLatin1(content);
  for (const { from, to } of moves) {
    const key = parseConfig(edited, FILE).flatMap((piece) =>
      piece.kind === "entry" && /^submodule\..*\.path$/s.test(piece.key) && piece.value === from ? [piece.key] : [],
    )[0];
    if (key === undefined) warn?.(`Could not find section in .gitmodules where path=${from}`);
    else edited = setConfigValue(edited, key, to, { file: FILE });
  }
  if (edited === toLatin1(content)) return;
  await editConfigFile(host, { path, displayed: FILE }, () => edited);
  await stagePaths(repo, [FILE], [editor]);
}
