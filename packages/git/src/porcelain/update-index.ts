/** The work of `git update-index`, path by path, in memory until the end: a failure leaves the index unchanged. */
import { GitError } from "../errors.ts";
import { columnarIndex } from "../index/columnar-index.ts";
import { compareIndexToTree } from "../index/compare-index-to-tree.ts";
import { compareEntryStat, indexStat, modeTrust, NO_STAT, stagedMode } from "../index/compare-stat.ts";
import { compareIndexToWorkTree } from "../index/compare-worktree.ts";
import { readGitlinkHead } from "../index/gitlink.ts";
import { hashWorkFiles } from "../index/hash-work-file.ts";
import { IndexEditor } from "../index/index-editor.ts";
import type { IndexEntry, Stage } from "../index/index-entry.ts";
import type { IndexFile } from "../index/index-file.ts";
import { readIndex } from "../index/read-index.ts";
import { refreshedIndex } from "../index/refresh-index.ts";
import { clearResolveUndo } from "../index/resolve-undo.ts";
import { openStagedConversion } from "../index/staged-conversion.ts";
import { isValidPath } from "../index/verify-path.ts";
import { writeIndex } from "../index/write-index.ts";
import type { LockFile } from "../lock-file.ts";
import { indexMode, isFileMode, MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK } from "../object/file-mode.ts";
import { type Oid, parseOid, ZERO_OID } from "../object/oid.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import { commitTreeOid } from "../revision/peel.ts";
import { unquotePath } from "../text/quote-path.ts";

type WorkRepository = Repository & { readonly workTree: string };

export type UpdateIndexEvent =
  | { readonly kind: "added" | "removed"; readonly path: string }
  | { readonly kind: "chmod"; readonly path: string; readonly change: "+x" | "-x" }
  /** The path may not be in an index. */
  | { readonly kind: "ignored"; readonly path: string }
  /** A refresh found changes or a conflict; the command fails at its end. */
  | { readonly kind: "needs update" | "needs merge"; readonly path: string };

export class IndexUpdater {
  readonly #repo: WorkRepository;
  readonly #report: (event: UpdateIndexEvent) => void;
  readonly #read: IndexFile;
  #editor: IndexEditor;
  #version: IndexFile["version"];
  #dropUndo = false;
  /** Path of an entry with a null id: such an index is not written. */
  #nullPath: string | null = null;
  readonly #on = new Map<string, string | boolean>();

  private constructor(repo: WorkRepository, report: (event: UpdateIndexEvent) => void, index: IndexFile) {
    this.#repo = repo;
    this.#report = report;
    this.#read = index;
    this.#editor = new IndexEditor(index, { resolveUndo: true });
    this.#version = index.version;
  }

  static async open(repo: WorkRepository, report: (event: UpdateIndexEvent) => void): Promise<IndexUpdater> {
    return new IndexUpdater(repo, report, await readIndex(repo));
  }

  async option(name: string, value: string | boolean): Promise<void> {
    this.#on.set(name, value);
    if (name === "refresh" || name === "reallyRefresh") await this.#refresh();
    else if (name === "chmod" && value !== "+x" && value !== "-x" && value !== false) {
      throw new GitError("EUSAGE", 'option \'chmod\' expects "+x" or "-x"');
    } else if (name === "indexVersion") this.#setVersion(Number(value));
    else if (name === "clearResolveUndo") this.#dropUndo = true;
  }

  async update(path: string): Promise<void> {
    const stat = await this.#repo.fs.lstat(`${this.#repo.workTree}/${path}`).catch(() => null);
    if (!isValidPath(path)) {
      this.#report({ kind: "ignored", path });
      return;
    }
    if (this.#on.has("assumeUnchanged"))
      return this.#mark(path, "assumeValid", this.#on.get("assumeUnchanged") === true);
    if (this.#on.has("skipWorktree")) return this.#mark(path, "skipWorktree", this.#on.get("skipWorktree") === true);
    if (this.#is("forceRemove")) {
      this.#editor.remove(path);
      this.#report({ kind: "removed", path });
      return;
    }
    await this.#process(path, stat);
    this.#report({ kind: "added", path });
    const chmod = this.#on.get("chmod");
    if (chmod === "+x" || chmod === "-x") this.#chmod(path, chmod);
  }

  cacheInfo(mode: number, oid: Oid, path: string, stage: Stage): void {
    const failure = isValidPath(path, mode)
      ? this.#put({ path, stage, mode: indexMode(mode), oid, stat: NO_STAT })
      : `Invalid path '${path}'`;
    if (failure !== null)
      throw new GitError("EINVAL", `${failure}\nfatal: git update-index: --cacheinfo cannot add ${path}`, {
        prefix: "error",
      });
    this.#report({ kind: "added", path });
  }

  /** `mode SP type SP oid TAB path`, `mode SP oid SP stage TAB path` or `mode SP oid TAB path`. */
  indexInfo(line: string, nul: boolean): void {
    const malformed = () => new GitError("EINVAL", `malformed index info ${line}`);
    const [, octal, first, second, rest] = /^([0-7]+) (\S+)(?: (\S+))?\t(.+)$/s.exec(line) ?? [];
    if (octal === undefined || rest === undefined) throw malformed();
    const isTreeForm = second !== undefined && parseOid(second) !== null;
    const oid = parseOid((isTreeForm ? second : first) ?? "");
    const stage = isTreeForm || second === undefined ? 0 : Number(second);
    if (oid === null || ![0, 1, 2, 3].includes(stage)) throw malformed();
    const quoted = nul ? null : unquotePath(rest);
    if (!nul && rest.startsWith('"') && quoted === null)
      throw new GitError("EINVAL", "git update-index: bad quoting of path name");
    const path = quoted?.value ?? rest;
    const mode = Number.parseInt(octal, 8);
    if (!isValidPath(path, mode)) {
      this.#report({ kind: "ignored", path });
      return;
    }
    if (mode === 0) this.#editor.remove(path);
    else this.#editor.set({ path, stage: stage as Stage, mode: indexMode(mode), oid, stat: NO_STAT });
  }

  async commit(lock: LockFile, always: boolean): Promise<void> {
    if (this.#nullPath !== null) {
      const hint = "fatal: Unable to write new index file\n";
      throw new GitError("EINVAL", `cache entry has null sha1: ${this.#nullPath}`, {
        prefix: "error",
        exitCode: 128,
        hint,
      });
    }
    const index = this.#current();
    const undo = this.#dropUndo && index.extensions.some(({ signature }) => signature === "REUC");
    if (index === this.#read && this.#version === index.version && !always && !undo) {
      await lock.release();
      return;
    }
    await writeIndex(this.#repo, { ...(undo ? clearResolveUndo(index) : index), version: this.#version }, lock);
  }

  #current(): IndexFile {
    return this.#editor.finish();
  }

  #is(name: string): boolean {
    return this.#on.get(name) === true;
  }

  #setVersion(version: number): void {
    if (version < 2 || version > 4) throw new GitError("EINVAL", `index-version ${version} not in range: 2..4`);
    this.#version = version as IndexFile["version"];
  }

  #mark(path: string, flag: "assumeValid" | "skipWorktree", value: boolean): void {
    const entry = this.#editor.get(path);
    if (entry === undefined) throw new GitError("ENOTFOUND", `Unable to mark file ${path}`);
    const { [flag]: _, ...rest } = entry;
    this.#editor.set(value ? { ...rest, [flag]: true } : rest);
    // Not a change of content: a directory stays known.
  }

  #chmod(path: string, change: "+x" | "-x"): void {
    const entry = this.#editor.get(path);
    if (entry === undefined || !isFileMode(entry.mode)) {
      throw new GitError("EINVAL", `git update-index: cannot chmod ${change} '${path}'`);
    }
    this.#editor.set({ ...entry, mode: change === "+x" ? MODE_EXECUTABLE : MODE_FILE });
    this.#report({ kind: "chmod", path, change });
  }

  async #process(path: string, stat: Awaited<ReturnType<WorkRepository["fs"]["lstat"]>> | null): Promise<void> {
    const fail = (reason: string) => {
      throw new GitError("EINVAL", `${reason}\nfatal: Unable to process path ${path}`, { prefix: "error" });
    };
    const before = this.#editor.get(path);
    if (before?.skipWorktree) {
      if (!this.#is("ignoreSkipWorktree") && this.#is("remove")) this.#editor.remove(path);
      return;
    }
    // A file that became a directory has nothing to stage.
    if (stat === null || (stat.type === "dir" && before !== undefined && before.mode !== MODE_GITLINK)) {
      if (!this.#is("remove")) fail(`${path}: does not exist and --remove not passed`);
      this.#editor.remove(path);
      return;
    }
    if (stat.type === "dir") {
      const oid = await readGitlinkHead(this.#repo.fs, `${this.#repo.workTree}/${path}`);
      if (oid === null)
        fail(`${path}: is a directory - add ${this.#isAbove(path) ? "individual files" : "files inside"} instead`);
      const failure = this.#put({ path, stage: 0, mode: MODE_GITLINK, oid: oid as Oid, stat: indexStat(stat) });
      if (failure !== null) fail(failure);
      return;
    }
    const trust = modeTrust(this.#repo.config);
    const isSame =
      before !== undefined && compareEntryStat(before, stat, trust) === "same" && !this.#read.racy?.has(before.stat);
    if (isSame && !before.intentToAdd) return;
    const conversion = await openStagedConversion(this.#repo, (name) => this.#editor.at(name));
    const write = !this.#is("infoOnly");
    const [oid] = await hashWorkFiles(this.#repo, [{ path, stat }], {
      conversion,
      write,
      warn: (text) => this.#repo.warn?.(text),
    });
    if (!oid) return fail(`${path}: does not exist and --remove not passed`);
    const mode = stagedMode(stat, trust, before?.mode);
    const failure = this.#put({ path, stage: 0, mode, oid, stat: indexStat(stat) });
    if (failure !== null) fail(failure);
  }

  #isAbove(path: string): boolean {
    return this.#current().entries.some((entry) => entry.path.startsWith(`${path}/`));
  }

  /** Null, or why the entry was rejected. */
  #put(entry: IndexEntry): string | null {
    const { path } = entry;
    const missing = `${path}: cannot add to the index - missing --add option?`;
    const known = this.#editor.at(path).length > 0;
    if (!known && !this.#is("add")) return missing;
    if (!known && !this.#is("replace") && this.#clashes(path)) {
      return `'${path}' appears as both a file and as a directory\nerror: ${missing}`;
    }
    this.#editor.set(entry);
    if (entry.oid === ZERO_OID) this.#nullPath = path;
    return null;
  }

  #clashes(path: string): boolean {
    if (this.#editor.hasUnder(path)) return true;
    const names = path.split("/").slice(0, -1);
    return names.some((_, i) => this.#editor.at(names.slice(0, i + 1).join("/")).length > 0);
  }

  async #refresh(): Promise<void> {
    const index = this.#current();
    const work = await compareIndexToWorkTree(
      this.#repo,
      columnarIndex(withoutValid(index, this.#is("reallyRefresh"))),
      {
        unstaged: false,
        ignoreGitlinks: this.#is("ignoreSubmodules"),
      },
    );
    const found: { path: string; kind: "needs update" | "needs merge" }[] = [];
    for (const { path, kind } of work.changes) {
      if (this.#is("quiet") || (kind === "deleted" && this.#is("ignoreMissing"))) continue;
      found.push({ path, kind: "needs update" });
    }
    if (!this.#is("unmerged")) for (const path of work.unmerged.keys()) found.push({ path, kind: "needs merge" });
    found.sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const event of found) this.#report(event);
    const refreshed = refreshedIndex(index, work);
    const editor = new IndexEditor(index);
    for (const { at } of work.refreshed) editor.set(refreshed.entries[at] as IndexEntry);
    for (const at of work.verified) editor.set(refreshed.entries[at] as IndexEntry);
    this.#editor = editor;
  }

  /** Entries that differ from HEAD, among those the pathspec names. */
  async again(pathspec: Pathspec): Promise<void> {
    const head = (await this.#repo.refs.resolve("HEAD"))?.oid ?? null;
    const tree = head === null ? null : commitTreeOid((await this.#repo.odb.need(head, "commit")).body);
    const changes = await compareIndexToTree(this.#repo.odb, tree, columnarIndex(this.#current()), { intended: true });
    for (const { path, after } of changes) if (after !== null && pathspec.matches(path)) await this.update(path);
  }
}

function withoutValid(index: IndexFile, really: boolean): IndexFile {
  if (!really) return index;
  return { ...index, entries: index.entries.map(({ assumeValid: _, ...entry }) => entry) };
}
