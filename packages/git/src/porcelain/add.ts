/**
 * Stages the work tree: changes of tracked files, removals, new files. One scan of the tree finds all of them; contents are hashed
 * and stored in batches, and the index is written once.
 */
import { GitError } from "../errors.ts";
import { openIgnores } from "../ignore/ignores.ts";
import { checkGitlinks, checkSymlinks } from "../index/check-pathspec.ts";
import { indexStat, type ModeTrust, modeTrust, NO_STAT, stagedMode } from "../index/compare-stat.ts";
import { compareIndexToWorkTree, type WorkTreeComparison } from "../index/compare-worktree.ts";
import { findUntracked } from "../index/find-untracked.ts";
import { readGitlinkHead } from "../index/gitlink.ts";
import { hashWorkFiles, type WorkFile } from "../index/hash-work-file.ts";
import { IndexEditor } from "../index/index-editor.ts";
import type { IndexFile } from "../index/index-file.ts";
import { type ColumnarIndex, indexFromColumns, readColumnarIndex } from "../index/read-index.ts";
import { openStagedConversion } from "../index/staged-conversion.ts";
import { lockIndex, writeIndex } from "../index/write-index.ts";
import { isFileMode, MODE_EXECUTABLE, MODE_FILE } from "../object/file-mode.ts";
import { EMPTY_BLOB, type Oid } from "../object/oid.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import { compareText } from "../text/bytes.ts";

export interface AddOptions {
  pathspec: Pathspec;
  /** "update": only tracked files; "keep-removed": ignores missing files. */
  mode?: "all" | "update" | "keep-removed";
  dryRun?: boolean;
  /** Adds ignored files too. */
  force?: boolean;
  intentToAdd?: boolean;
  refreshOnly?: boolean;
  renormalize?: boolean;
  chmod?: "+x" | "-x";
  ignoreMissing?: boolean;
  /** A pathspec without matches is no error. */
  lenient?: boolean;
}

export interface AddResult {
  /** In the order performed. */
  readonly actions: { readonly kind: "add" | "remove"; readonly path: string }[];
  /** Named by the user, but not added because they are ignored. */
  readonly ignored: readonly string[];
  /** Repositories added as gitlinks. */
  readonly embedded: readonly string[];
  /** Paths that `--chmod` could not change. */
  readonly unchanged: readonly string[];
  /** Paths that could not be refreshed. */
  readonly unmerged: readonly string[];
}

type WorkRepository = Repository & { readonly workTree: string };

export async function add(repo: WorkRepository, options: AddOptions): Promise<AddResult> {
  const lock = await lockIndex(repo);
  try {
    const { index, result } = await stageWorkTree(repo, await readColumnarIndex(repo), options);
    if (options.dryRun || index === null) await lock.release();
    else await writeIndex(repo, index, lock);
    return result;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** `add` without writing the index; `index` null: nothing changed. */
export async function stageWorkTree(
  repo: WorkRepository,
  columns: ColumnarIndex,
  options: AddOptions,
): Promise<{ index: IndexFile | null; result: AddResult }> {
  checkGitlinks(columns.table, options.pathspec);
  await checkSymlinks(repo, options.pathspec);
  options.pathspec.refuse(["attr"]);
  const adding = new Adding(repo, columns, options);
  const result = await adding.run();
  return { index: adding.unchanged ? null : adding.finish(), result };
}

class Adding {
  readonly #index: IndexFile;
  readonly #editor: IndexEditor;
  readonly #trust: ModeTrust;
  readonly #actions: { kind: "add" | "remove"; path: string }[] = [];
  readonly #embedded: string[] = [];

  constructor(
    private readonly repo: WorkRepository,
    private readonly columns: ColumnarIndex,
    private readonly options: AddOptions,
  ) {
    this.#index = indexFromColumns(columns);
    this.#editor = new IndexEditor(this.#index, { resolveUndo: true });
    this.#trust = modeTrust(repo.config);
  }

  get unchanged(): boolean {
    return this.#editor.unchanged;
  }

  finish(): IndexFile {
    return this.#editor.finish();
  }

  async run(): Promise<AddResult> {
    const { pathspec, mode = "all", refreshOnly = false, renormalize = false } = this.options;
    const wantsNew = mode !== "update" && !refreshOnly && !renormalize;
    const comparison = await compareIndexToWorkTree(this.repo, this.columns, { pathspec, unstaged: wantsNew });
    const found = wantsNew ? await this.#findNew(comparison) : { untracked: [], named: [] };
    const ignored = [...found.named, ...(await this.#checkMatched())].sort();
    this.#refresh(comparison);
    if (!refreshOnly) {
      if (renormalize) await this.#renormalize();
      else await this.#tracked(comparison);
      await this.#new(found.untracked);
    }
    const unchanged = this.options.chmod === undefined ? [] : this.#chmod(this.options.chmod);
    const unmerged = refreshOnly ? [...comparison.unmerged.keys()] : [];
    return { actions: this.#actions, ignored, embedded: this.#embedded, unchanged, unmerged };
  }

  #findNew(comparison: WorkTreeComparison) {
    const { pathspec, force } = this.options;
    const named = (path: string) =>
      pathspec.items.some(({ match, literalLength, exclude }) => {
        if (exclude) return false;
        const literal = match.slice(0, literalLength);
        return literal === path || literal.startsWith(`${path}/`);
      });
    return findUntracked(this.repo, comparison, {
      untracked: "all",
      pathspec,
      isNamed: named,
      ...(force ? { ignores: { standard: false } } : {}),
    });
  }

  /** Every pathspec must match; with `ignoreMissing`, returns missing paths that would be ignored. */
  async #checkMatched(): Promise<string[]> {
    const { pathspec, ignoreMissing = false } = this.options;
    const missing: string[] = [];
    if (this.options.lenient) return missing;
    for (const item of pathspec.unmatched()) {
      if (item.match === "") continue;
      const exists =
        !item.glob &&
        !item.icase &&
        (await this.repo.fs.lstat(`${this.repo.workTree}/${item.match}`).catch(() => null));
      if (exists) continue;
      if (!ignoreMissing) throw new GitError("ENOTFOUND", `pathspec '${item.original}' did not match any files`);
      missing.push(item.match);
    }
    if (missing.length === 0) return missing;
    const ignores = await openIgnores(this.repo);
    await ignores.prepare(missing);
    return missing.filter((path) => ignores.verdict(path, false).ignored);
  }

  #refresh({ refreshed }: WorkTreeComparison): void {
    for (const { at, stat } of refreshed) {
      const entry = this.#index.entries[at];
      if (entry) this.#editor.set({ ...entry, stat: indexStat(stat) });
    }
  }

  async #tracked({ changes, unmerged, verified }: WorkTreeComparison): Promise<void> {
    const { mode } = this.options;
    const steps: { path: string; stat: WorkFile["stat"] | null; oid: Oid | null; kind?: string }[] = [
      ...changes,
      ...Array.from(unmerged, ([path, stat]) => ({ path, stat, oid: null })),
    ];
    if (unmerged.size > 0) steps.sort((a, b) => (a.path < b.path ? -1 : 1));
    const retained = steps.filter(({ stat }) => stat !== null || mode !== "keep-removed");
    const files = retained.filter((step): step is WorkFile & { oid: Oid | null } => step.stat !== null);
    const oids = await this.#store(files.filter(({ stat }) => stat.type !== "dir"));
    await this.#warnOfRacy(verified);
    for (const { path, stat, oid, kind } of retained) {
      if (stat?.type === "dir" && kind === "type" && mode !== "update") this.#embedded.push(path);
      if (stat === null) {
        this.#editor.remove(path);
        this.#actions.push({ kind: "remove", path });
      } else if (stat.type === "dir") this.#stage({ path, stat }, oid as Oid);
      else this.#stage({ path, stat }, oids.get(path) ?? null);
    }
  }

  /** git stages racy files again, and so repeats the warning about their line endings. */
  async #warnOfRacy(verified: readonly number[]): Promise<void> {
    if (verified.length === 0) return;
    const { entries } = this.#index;
    const paths = verified.map((at) => (entries[at] as IndexFile["entries"][number]).path).sort(compareText);
    const conversion = await openStagedConversion(this.repo, (path) => this.#editor.at(path));
    await conversion.prepare(paths);
    const converted = paths.filter((path) => !conversion.isIdentity(path));
    const contents = await this.repo.fs.readMany(converted.map((path) => `${this.repo.workTree}/${path}`));
    const warn = (text: string) => this.repo.warn?.(text);
    for (const [i, path] of converted.entries()) if (contents[i]) await conversion.toGit(path, contents[i], { warn });
  }

  async #new(paths: readonly string[]): Promise<void> {
    const files: WorkFile[] = [];
    for (const path of paths) {
      if (path.endsWith("/")) await this.#embed(path.slice(0, -1));
      else files.push({ path, stat: await this.repo.fs.lstat(`${this.repo.workTree}/${path}`) });
    }
    if (this.options.intentToAdd) {
      if (!this.options.dryRun && files.length > 0) await this.repo.odb.write("blob", new Uint8Array(0));
      for (const { path, stat } of files) {
        this.#actions.push({ kind: "add", path });
        const mode = stagedMode(stat, this.#trust);
        this.#editor.set({ path, stage: 0, mode, oid: EMPTY_BLOB, stat: NO_STAT, intentToAdd: true });
      }
      return;
    }
    const oids = await this.#store(files);
    for (const file of files) this.#stage(file, oids.get(file.path) ?? null);
  }

  async #embed(path: string): Promise<void> {
    const oid = await readGitlinkHead(this.repo.fs, `${this.repo.workTree}/${path}`);
    if (oid === null) {
      const message = `'${path}/' does not have a commit checked out\nfatal: adding files failed`;
      throw new GitError("ESTATE", message, { prefix: "error" });
    }
    this.#embedded.push(path);
    const stat = await this.repo.fs.lstat(`${this.repo.workTree}/${path}`);
    this.#stage({ path, stat }, oid);
  }

  async #store(files: readonly WorkFile[], renormalize = false): Promise<Map<string, Oid | null>> {
    if (files.length === 0) return new Map();
    const conversion = await openStagedConversion(this.repo, (path) => this.#editor.at(path));
    // Renormalized line endings cause no warning.
    const warn = renormalize ? undefined : (text: string) => this.repo.warn?.(text);
    const write = !this.options.dryRun;
    const oids = await hashWorkFiles(this.repo, files, { conversion, write, warn, renormalize });
    return new Map(files.map(({ path }, i) => [path, oids[i] ?? null]));
  }

  #stage({ path, stat }: WorkFile, oid: Oid | null, always = false): void {
    if (oid === null) return;
    const before = this.#editor.get(path);
    const mode = stagedMode(stat, this.#trust, before?.mode ?? this.#editor.at(path)[0]?.mode);
    const isSame = before !== undefined && before.oid === oid && before.mode === mode && !before.intentToAdd;
    if (!isSame || always) this.#actions.push({ kind: "add", path });
    // Intent-to-add does not change an existing entry.
    if (this.options.intentToAdd && before !== undefined) return;
    this.#editor.set({
      path,
      stage: 0,
      mode,
      oid,
      stat: indexStat(stat),
    });
  }

  /** Stages every tracked file again under the current attributes. */
  async #renormalize(): Promise<void> {
    const { pathspec } = this.options;
    const files: WorkFile[] = [];
    for (const { path, stage, mode } of this.#index.entries) {
      if (stage !== 0 || !isFileMode(mode) || !pathspec.matches(path)) continue;
      const stat = await this.repo.fs.lstat(`${this.repo.workTree}/${path}`).catch(() => null);
      if (stat?.type === "file") files.push({ path, stat });
    }
    const oids = await this.#store(files, true);
    for (const file of files) this.#stage(file, oids.get(file.path) ?? null, true);
  }

  #chmod(change: "+x" | "-x"): string[] {
    const { pathspec } = this.options;
    const refused: string[] = [];
    const paths = new Set([...this.#index.entries.map(({ path }) => path), ...this.#actions.map(({ path }) => path)]);
    for (const path of paths) {
      const entry = this.#editor.get(path);
      if (entry === undefined || !pathspec.matches(path, { quiet: true })) continue;
      if (!isFileMode(entry.mode)) refused.push(path);
      else this.#editor.set({ ...entry, mode: change === "+x" ? MODE_EXECUTABLE : MODE_FILE });
    }
    return refused;
  }
}
