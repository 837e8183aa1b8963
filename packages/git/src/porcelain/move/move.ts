/** `git mv`: renames files and directories in the work tree and their index entries. Checks everything before anything moves. */
import { GitError } from "../../errors.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import type { IndexEntry } from "../../index/index-entry.ts";
import { readIndex } from "../../index/read-index.ts";
import { lockIndex, writeIndex } from "../../index/write-index.ts";
import { errnoText } from "../../lock-file.ts";
import { MODE_GITLINK } from "../../object/file-mode.ts";
import type { Repository } from "../../repository.ts";
import { pathInTree } from "../../text/relative-path.ts";
import { connectSubmodule, prepareSubmodules, renameInGitmodules } from "./move-submodules.ts";

export interface MoveOptions {
  sources: readonly string[];
  destination: string;
  force?: boolean;
  /** Skips paths that cannot be moved. */
  skipErrors?: boolean;
  dryRun?: boolean;
  /** Called before each path is checked, before it overwrites a file, and before it is moved. */
  report?: (event: MoveEvent) => void;
}

export interface MoveEvent {
  readonly kind: "check" | "overwrite" | "rename";
  readonly from: string;
  readonly to: string;
}

interface MoveStep {
  readonly from: string;
  readonly to: string;
  /** Moved on disk with its directory. */
  readonly indexOnly: boolean;
  readonly isDirectory: boolean;
}

type WorkRepository = Repository & { readonly workTree: string };

export async function move(repo: WorkRepository, options: MoveOptions): Promise<void> {
  const lock = await lockIndex(repo);
  try {
    const editor = new IndexEditor(await readIndex(repo));
    const steps = await plan(repo, editor, options);
    const { report, dryRun, skipErrors } = options;
    const { fs, workTree } = repo;
    const isSubmodule = ({ from }: MoveStep) => editor.get(from)?.mode === MODE_GITLINK;
    const submodules = steps.filter(isSubmodule);
    const gitDirs = await prepareSubmodules(
      repo,
      editor,
      submodules.map(({ from }) => from),
    );
    const moved: MoveStep[] = [];
    for (const step of steps) {
      const { from, to, indexOnly, isDirectory } = step;
      report?.({ kind: "rename", from, to });
      if (dryRun) continue;
      if (!indexOnly) {
        const failure = await fs.rename(`${workTree}/${from}`, `${workTree}/${to}`).then(
          () => null,
          (error: { code?: string }) => error,
        );
        if (failure !== null && skipErrors) continue;
        if (failure !== null) throw new GitError("ESTATE", `renaming '${from}' failed: ${errnoText(failure.code)}`);
      }
      if (isDirectory) continue;
      const gitDir = gitDirs.get(from);
      if (gitDir !== undefined) await connectSubmodule(repo, to, gitDir);
      if (submodules.includes(step)) moved.push(step);
      const entry = editor.get(from) as IndexEntry;
      editor.remove(from);
      editor.set({ ...entry, path: to });
    }
    if (moved.length > 0) await renameInGitmodules(repo, editor, moved);
    if (dryRun || editor.unchanged) await lock.release();
    else await writeIndex(repo, editor.finish(), lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function plan(repo: WorkRepository, editor: IndexEditor, options: MoveOptions): Promise<MoveStep[]> {
  const { fs, workTree } = repo;
  const type = async (path: string) =>
    (await fs.lstat(`${workTree}/${path.replace(/\/$/, () => "")}`).catch(() => null))?.type;
  const sources = options.sources.map((path) => placed(repo, path).replace(/\/$/, () => ""));
  let target = placed(repo, options.destination);
  const bare = target.replace(/\/$/, () => "");
  const targetType = bare === "" ? "dir" : await type(bare);
  if (sources.length === 1 && targetType !== "dir" && (await type(sources[0] as string)) === "dir") target = bare;
  if (targetType !== "dir" && sources.length !== 1) {
    throw new GitError("EINVAL", `destination '${target}' is not a directory`);
  }
  const prefix = bare === "" ? "" : `${bare}/`;
  const pairs = sources.map((from) => ({
    from,
    to: targetType === "dir" ? prefix + from.slice(from.lastIndexOf("/") + 1) : target,
  }));
  const steps: MoveStep[] = [];
  const children: MoveStep[] = [];
  const taken = new Set<string>();
  for (const { from, to } of pairs) {
    options.report?.({ kind: "check", from, to });
    const fromType = from === "" ? undefined : await type(from);
    const bad = await reasonAgainst(from, to, fromType, await type(to), editor, taken, options);
    if (bad !== null) {
      if (options.skipErrors) continue;
      throw new GitError("EINVAL", `${bad}, source=${from}, destination=${to}`);
    }
    taken.add(to);
    const isGitlink = editor.get(from) !== undefined;
    if (fromType !== "dir" || isGitlink) {
      steps.push({ from, to, indexOnly: false, isDirectory: false });
      continue;
    }
    steps.push({ from, to, indexOnly: false, isDirectory: true });
    for (const path of editor.under(from)) {
      const moved = `${to.replace(/\/$/, () => "")}/${path.slice(from.length + 1)}`;
      children.push({ from: path, to: moved, indexOnly: true, isDirectory: false });
    }
  }
  for (const child of children) {
    const { from, to } = child;
    options.report?.({ kind: "check", from, to });
    // A tracked path cannot move with its directory if its file is missing or in conflict.
    const bad = (await type(from)) === undefined ? "bad source" : editor.get(from) === undefined ? "conflicted" : null;
    if (bad === null) steps.push(child);
    else if (!options.skipErrors) throw new GitError("EINVAL", `${bad}, source=${from}, destination=${to}`);
  }
  return steps;
}

async function reasonAgainst(
  from: string,
  to: string,
  fromType: string | undefined,
  toType: string | undefined,
  editor: IndexEditor,
  taken: ReadonlySet<string>,
  { force, report }: MoveOptions,
): Promise<string | null> {
  if (fromType === undefined) return "bad source";
  if (to === from || to.startsWith(`${from}/`)) return "can not move directory into itself";
  if (fromType === "dir") {
    if (toType !== undefined) return "cannot move directory over file";
    return editor.get(from) === undefined && !editor.hasUnder(from) ? "source directory is empty" : null;
  }
  const entries = editor.at(from);
  if (entries.length === 0) return "not under version control";
  if (entries[0]?.stage !== 0) return "conflicted";
  if (toType !== undefined) {
    if (!force) return "destination exists";
    if (toType === "dir") return "Cannot overwrite";
    report?.({ kind: "overwrite", from, to });
    return null;
  }
  if (taken.has(to)) return "multiple sources for the same target";
  return to.endsWith("/") ? "destination directory does not exist" : null;
}

function placed(repo: WorkRepository, path: string): string {
  const inside = pathInTree(repo, path);
  if (inside === null) throw new GitError("EINVAL", `'${path}' is outside repository at '${repo.workTree}'`);
  return inside;
}
