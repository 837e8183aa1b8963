/** `git rm`: removes files from the index and the work tree, unless changes would be lost. */
import { adviceEnabled } from "../config/advice.ts";
import { GitError } from "../errors.ts";
import { adviseSkipped } from "../index/advise-skipped.ts";
import { compareIndexToTree } from "../index/compare-index-to-tree.ts";
import { compareIndexToWorkTree } from "../index/compare-worktree.ts";
import { IndexEditor } from "../index/index-editor.ts";
import type { IndexEntry } from "../index/index-entry.ts";
import { type ColumnarIndex, indexFromColumns, readColumnarIndex } from "../index/read-index.ts";
import { refreshedIndex } from "../index/refresh-index.ts";
import { lockIndex, writeIndex } from "../index/write-index.ts";
import { MODE_GITLINK } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import { commitTreeOid } from "../revision/peel.ts";
import { removeFiles } from "../worktree/remove-files.ts";

export interface RemoveOptions {
  pathspec: Pathspec;
  cached?: boolean;
  force?: boolean;
  recursive?: boolean;
  dryRun?: boolean;
  ignoreUnmatched?: boolean;
  /** Also removes entries marked with `--skip-worktree` (`--sparse`). */
  skipped?: boolean;
  /** Called with each path before anything is removed from the work tree. */
  onRemove?: (path: string) => void;
}

type WorkRepository = Repository & { readonly workTree: string };

/** `advice`: about paths skipped because of `--skip-worktree`, ready to print; "" usually. */
export async function remove(repo: WorkRepository, options: RemoveOptions): Promise<{ advice: string }> {
  const result = { advice: "" };
  const lock = await lockIndex(repo);
  try {
    const columns = await readColumnarIndex(repo);
    const index = indexFromColumns(columns);
    const isRetained = ({ skipWorktree }: IndexEntry) => skipWorktree === true && !options.skipped;
    const matched = index.entries.filter((entry) => !isRetained(entry) && options.pathspec.matches(entry.path));
    const retained = index.entries.filter(isRetained);
    if (retained.length > 0) result.advice = adviseSkipped(repo, options.pathspec, retained);
    const paths = [...new Set(matched.map(({ path }) => path))];
    if (!checkPathspec(options) || paths.length === 0) {
      await lock.release();
      return result;
    }
    const work = await compareIndexToWorkTree(repo, columns, { pathspec: options.pathspec, unstaged: false });
    const chosen = new Set(paths);
    if (!options.force) {
      const changed = work.changes.filter(({ kind }) => kind !== "deleted" && kind !== "added").map(({ path }) => path);
      const deleted = new Set(work.changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path));
      const staged = await stagedPaths(repo, columns);
      checkLosses(repo, options, paths, new Set(changed), staged, deleted, columns);
    }
    const editor = new IndexEditor(refreshedIndex(index, work), { resolveUndo: true });
    for (const path of paths) {
      options.onRemove?.(path);
      editor.remove(path);
    }
    if (options.dryRun) {
      await lock.release();
      return result;
    }
    if (!options.cached) {
      const gone = new Set(work.changes.filter(({ kind }) => kind === "deleted").map(({ path }) => path));
      const links = new Set(index.entries.filter(({ mode }) => mode === MODE_GITLINK).map(({ path }) => path));
      await checkDirectory(repo, paths[0] as string, gone);
      const missing = (path: string) => gone.has(path) || links.has(path) || work.unmerged.get(path) === null;
      await removeFiles(
        repo,
        [...chosen].filter((path) => !missing(path)),
      );
    }
    await writeIndex(repo, editor.finish(), lock);
    return result;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** git stops if the first path has become a directory. */
async function checkDirectory(
  { fs, workTree }: WorkRepository,
  path: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  const isDirectory = gone.has(path) && (await fs.lstat(`${workTree}/${path}`).catch(() => null))?.type === "dir";
  if (isDirectory) throw new GitError("ESTATE", `git rm: '${path}': Is a directory`);
}

const RECURSIVELY = 2;

/** False: nothing matched, which is allowed. */
function checkPathspec({ pathspec, recursive, ignoreUnmatched }: RemoveOptions): boolean {
  let any = false;
  for (const [i, { original, exclude }] of pathspec.items.entries()) {
    if (exclude) continue;
    if (pathspec.seen[i] === 0) {
      if (ignoreUnmatched) continue;
      throw new GitError("ENOTFOUND", `pathspec '${original}' did not match any files`);
    }
    any = true;
    if (!recursive && pathspec.seen[i] === RECURSIVELY) {
      throw new GitError("EINVAL", `not removing '${original || "."}' recursively without -r`);
    }
  }
  return any;
}

async function stagedPaths({ odb, refs }: Repository, columns: ColumnarIndex): Promise<Set<string>> {
  const head: Oid | null = (await refs.resolve("HEAD"))?.oid ?? null;
  const tree = head === null ? null : commitTreeOid((await odb.need(head, "commit")).body);
  const changes = await compareIndexToTree(odb, tree, columns, { intended: true });
  return new Set(changes.filter(({ unmerged }) => !unmerged).map(({ path }) => path));
}

function checkLosses(
  { config }: Repository,
  { cached }: RemoveOptions,
  paths: readonly string[],
  changed: ReadonlySet<string>,
  staged: ReadonlySet<string>,
  deleted: ReadonlySet<string>,
  { table }: ColumnarIndex,
): void {
  const intended = new Set<string>();
  for (let at = 0; at < table.count; at++) {
    if (((table.flags[at] as number) & (0x2000 << 16)) !== 0) intended.add(table.paths[at] as string);
  }
  const both: string[] = [];
  const inIndex: string[] = [];
  const inFile: string[] = [];
  for (const path of paths) {
    if (deleted.has(path)) continue;
    const local = changed.has(path) || intended.has(path);
    const isStaged = staged.has(path);
    if (local && isStaged) {
      if (!cached || !intended.has(path)) both.push(path);
    } else if (!cached) {
      if (isStaged) inIndex.push(path);
      if (local) inFile.push(path);
    }
  }
  const hints = adviceEnabled(config, "rmHints");
  const keep = "(use --cached to keep the file, or -f to force removal)";
  const texts = [
    changesText(
      both,
      "staged content different from both the\nfile and the HEAD:",
      hints ? "(use -f to force removal)" : null,
    ),
    changesText(inIndex, "changes staged in the index:", hints ? keep : null),
    changesText(inFile, "local modifications:", hints ? keep : null),
  ].filter((text) => text !== null);
  if (texts.length > 0) throw new GitError("ESTATE", texts.join("\nerror: "), { prefix: "error", exitCode: 1 });
}

function changesText(paths: readonly string[], what: string, hint: string | null): string | null {
  if (paths.length === 0) return null;
  const subject = paths.length === 1 ? "the following file has" : "the following files have";
  const lines = [`${subject} ${what}`, ...paths.map((path) => `    ${path}`)];
  return [...lines, ...(hint === null ? [] : [hint])].join("\n");
}
