/**
 * Removes untracked files. First finds what to remove, by git's rules: a directory is removed as a whole if nothing in it stays,
 * else piece by piece; a repository in the work tree stays unless force is given twice.
 */

import { type Ignores, openIgnores } from "../ignore/ignores.ts";
import { compareIndexToWorkTree, type UntrackedEntry } from "../index/compare-worktree.ts";
import { nestedGitDirectory } from "../index/gitlink.ts";
import { readColumnarIndex } from "../index/read-index.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import { compareText } from "../text/bytes.ts";
import { relativePath } from "../text/relative-path.ts";
import type { WorkRepository } from "../worktree/work-tree-stats.ts";

export interface CleanOptions {
  readonly pathspec: Pathspec;
  /** Removes untracked directories too. */
  readonly directories: boolean;
  /** "also": `-x`, "only": `-X`. */
  readonly ignored?: "keep" | "also" | "only";
  /** Rules in addition to those of the ignore files. */
  readonly exclude?: readonly string[];
  readonly dryRun?: boolean;
  /** Removes repositories in the work tree too. */
  readonly repositories?: boolean;
}

/** In order; paths are relative to the current directory. */
export type CleanAction =
  | { readonly kind: "removed" | "skipped-repository" | "failed"; readonly path: string }
  /** Did not remove the current directory. */
  | { readonly kind: "refused" };

export async function clean(repo: WorkRepository, options: CleanOptions): Promise<CleanAction[]> {
  const paths = await findPaths(repo, options);
  const cleaning = new Cleaning(repo, options);
  for (const path of paths) await cleaning.remove(path);
  return cleaning.actions;
}

async function findPaths(repo: WorkRepository, options: CleanOptions): Promise<string[]> {
  const { pathspec, ignored = "keep", exclude = [] } = options;
  const { unstaged, ignoreFiles } = await compareIndexToWorkTree(repo, await readColumnarIndex(repo), { pathspec });
  if (unstaged.length === 0) return [];
  const ignores = await openIgnores(repo, { standard: ignored !== "also", patterns: exclude });
  await ignores.load(ignoreFiles);
  const search = new Search(repo, ignores, options);
  for (const entry of unstaged) await search.visit(entry, false);
  return search.found.sort(compareText);
}

type CleanState = "none" | "ignored" | "untracked";

class Search {
  /** A directory ends with a slash. */
  found: string[] = [];
  /** Number of ignored paths seen so far. */
  #retained = 0;

  constructor(
    private readonly repo: WorkRepository,
    private readonly ignores: Ignores,
    private readonly options: CleanOptions,
  ) {}

  /** `inIgnored`: a parent directory is ignored. */
  async visit({ path, stat }: UntrackedEntry, inIgnored: boolean): Promise<CleanState> {
    const isDirectory = stat.type === "dir";
    const isIgnored = inIgnored || this.ignores.verdict(path, isDirectory).ignored;
    if (isDirectory) return this.#directory(path, isIgnored);
    if (!this.options.pathspec.matches(path)) return "none";
    return this.#take(path, isIgnored ? "ignored" : "untracked");
  }

  #take(path: string, state: "ignored" | "untracked"): CleanState {
    if (state === "ignored") this.#retained++;
    if ((state === "ignored") === (this.options.ignored === "only")) this.found.push(path);
    return state;
  }

  async #directory(path: string, isIgnored: boolean): Promise<CleanState> {
    const { repo, options } = this;
    const { pathspec, ignored } = options;
    if (!options.directories && ignored !== "only") return "none";
    if (!pathspec.mayMatchUnder(path)) return "none";
    const isWhole = pathspec.matches(path, { isDirectory: true });
    const own = isIgnored ? "ignored" : "untracked";
    if ((await nestedGitDirectory(repo.fs, `${repo.workTree}/${path}`)) !== null) {
      return options.repositories && isWhole ? this.#takeDirectory(path, own) : "none";
    }
    const [before, retainedBefore] = [this.found.length, this.#retained];
    const inside = await this.#inside(path, isIgnored);
    if (!isWhole) return "none";
    const state = inside === "none" ? own : inside;
    // The directory stays if anything in it stays.
    if (ignored !== "only" && state === "untracked" && this.#retained > retainedBefore) return state;
    if (ignored === "only" && state === "untracked") return state;
    this.found.length = before;
    return this.#takeDirectory(path, state);
  }

  #takeDirectory(path: string, state: "ignored" | "untracked"): CleanState {
    if (this.options.directories) return this.#take(`${path}/`, state);
    if (state === "ignored") this.#retained++;
    return state;
  }

  /** The strongest state of the entries in the directory. */
  async #inside(path: string, isIgnored: boolean): Promise<CleanState> {
    const entries = await this.repo.fs.scan(`${this.repo.workTree}/${path}`).catch(() => []);
    if (entries.some(({ name, stat }) => name === this.ignores.fileName && stat.type !== "dir"))
      await this.ignores.load([`${path}/`]);
    let state: CleanState = "none";
    for (const { name, stat } of entries) {
      if (name === ".git") continue;
      const found = await this.visit({ path: `${path}/${name}`, stat }, isIgnored);
      if (found === "untracked" || state === "none") state = found;
    }
    return state;
  }
}

class Cleaning {
  readonly actions: CleanAction[] = [];

  constructor(
    private readonly repo: WorkRepository,
    private readonly options: CleanOptions,
  ) {}

  async remove(path: string): Promise<void> {
    const displayed = relativePath(path, this.repo.prefix);
    const isGone = path.endsWith("/") ? await this.#directory(path, displayed) : await this.#unlink(path, displayed);
    if (isGone) this.actions.push({ kind: "removed", path: displayed });
  }

  async #unlink(path: string, shown: string): Promise<boolean> {
    const { fs, workTree } = this.repo;
    if (this.options.dryRun) return true;
    try {
      await fs.rm(`${workTree}/${path}`);
      return true;
    } catch {
      this.actions.push({ kind: "failed", path: shown });
      return false;
    }
  }

  /** `path` and `displayed` end with a slash. Lists removed entries one by one only if the directory stays. */
  async #directory(path: string, shown: string): Promise<boolean> {
    const { fs, workTree, originalCwd = this.repo.prefix } = this.repo;
    const full = `${workTree}/${path.slice(0, -1)}`;
    if (!this.options.repositories && (await nestedGitDirectory(fs, full)) !== null) {
      this.actions.push({ kind: "skipped-repository", path: shown.slice(0, -1) });
      return false;
    }
    let isGone = true;
    const gone: string[] = [];
    const entries = [...(await fs.scan(full))].sort((a, b) => compareText(a.name, b.name));
    for (const { name, stat } of entries) {
      const removed =
        stat.type === "dir"
          ? await this.#directory(`${path}${name}/`, `${shown}${name}/`)
          : await this.#unlink(`${path}${name}`, `${shown}${name}`);
      if (removed) gone.push(`${shown}${name}`);
      else isGone = false;
    }
    if (isGone && path === originalCwd) {
      this.actions.push({ kind: "refused" });
      isGone = false;
    } else if (isGone && !this.options.dryRun) await fs.rmdir(full);
    if (!isGone) for (const name of gone) this.actions.push({ kind: "removed", path: name });
    return isGone;
  }
}
