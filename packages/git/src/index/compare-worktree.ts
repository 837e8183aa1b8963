/**
 * Compares the work tree with the index: changed and untracked paths. Each directory is one scan call, names with stats; both lists
 * are sorted, so one pass suffices. Only files with an inconclusive stat are read, all together at the end, and .gitignore files
 * only if something untracked was found.
 */
import type { FileStat } from "@workspace/vfs";
import { isSameType, MODE_GITLINK } from "../object/file-mode.ts";
import { EMPTY_BLOB, type Oid } from "../object/oid.ts";
import type { Pathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import { compareText } from "../text/bytes.ts";
import { compareStat, isRacy, type ModeTrust, modeTrust, stagedMode } from "./compare-stat.ts";
import { readGitlinkHead } from "./gitlink.ts";
import { hashWorkFiles, type WorkFile } from "./hash-work-file.ts";
import {
  FIELDS,
  type IndexTable,
  isAssumedValid,
  isIntentToAdd,
  isSkipWorktree,
  MODE,
  MTIME_SECONDS,
  oidAt,
  SIZE,
  stageAt,
  stagesAt,
} from "./index-table.ts";
import type { ColumnarIndex } from "./read-index.ts";
import { scanInOrder } from "./scan-in-order.ts";
import { openStagedConversion } from "./staged-conversion.ts";

export interface WorkChange {
  readonly path: string;
  /** Position of the entry in the index. */
  readonly at: number;
  readonly kind: "modified" | "deleted" | "type" | "added";
  /** As it would be staged; 0: deleted. */
  readonly mode: number;
  readonly stat: FileStat | null;
  /** Id of the content as it would be staged, if it had to be hashed; a gitlink's HEAD. */
  readonly oid: Oid | null;
}

/** An untracked entry in a directory that the index knows. */
export interface UntrackedEntry {
  /** Without a trailing slash. */
  readonly path: string;
  readonly stat: FileStat;
}

export interface WorkTreeComparison {
  readonly changes: WorkChange[];
  /** Same content, different stat: the index should be refreshed. */
  readonly refreshed: { readonly at: number; readonly stat: FileStat }[];
  /** Racy, read, and unchanged. */
  readonly verified: number[];
  /** Work tree state of unmerged paths. */
  readonly unmerged: Map<string, FileStat | null>;
  /** In no order. */
  readonly unstaged: UntrackedEntry[];
  /** Directories ("" or "dir/") with a .gitignore, or a staged and skipped one, among those with staged entries. */
  readonly ignoreFiles: string[];
  /** Whether there are racy entries at all. */
  readonly racy: boolean;
}

interface CompareWorkOptions {
  /** Only these paths; also records what matched. */
  pathspec?: Pathspec;
  /** Search for untracked files; default true. */
  unstaged?: boolean;
  /** `--ignore-submodules=all`: gitlinks never differ. */
  ignoreGitlinks?: boolean;
  /** Written by this command, with the stats in the index: as new as the index, but known to be unchanged. */
  justWritten?: ReadonlySet<string>;
}

type WorkRepository = Repository & { readonly workTree: string };

export async function compareIndexToWorkTree(
  repo: WorkRepository,
  index: ColumnarIndex,
  options: CompareWorkOptions = {},
): Promise<WorkTreeComparison> {
  const walk = new WorkWalk(repo, index, options);
  await walk.run();
  return walk.result;
}

/** A directory to scan and its index entries. */
interface Directory {
  readonly prefix: string;
  readonly start: number;
  readonly end: number;
}

class WorkWalk {
  readonly result: WorkTreeComparison;
  readonly #table: IndexTable;
  readonly #trust: ModeTrust;
  readonly #pathspec: Pathspec | undefined;
  readonly #unstaged: boolean;
  readonly #waiting: Directory[] = [];
  /** Entries to be read, with their current stat. */
  readonly #doubts: { at: number; file: WorkFile; racy: boolean }[] = [];
  /** Staged gitlinks whose directory exists. */
  readonly #gitlinks = new Set<string>();
  /** Staged files with a directory in their place, until it is visited. */
  readonly #replaced = new Map<string, number>();
  #racy = false;

  constructor(
    private readonly repo: WorkRepository,
    private readonly index: ColumnarIndex,
    private readonly options: CompareWorkOptions,
  ) {
    this.#table = index.table;
    this.#trust = modeTrust(repo.config);
    this.#pathspec = options.pathspec?.isEmpty ? undefined : options.pathspec;
    this.#unstaged = options.unstaged ?? true;
    this.result = {
      changes: [],
      refreshed: [],
      verified: [],
      unmerged: new Map(),
      unstaged: [],
      ignoreFiles: [],
      racy: false,
    };
  }

  async run(): Promise<void> {
    this.#waiting.push({ prefix: "", start: 0, end: this.#table.count });
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) await this.#visit(next);
    await this.#readDoubts();
    this.result.changes.sort((a, b) => a.at - b.at);
    (this.result as { racy: boolean }).racy = this.#racy;
  }

  async #visit({ prefix, start, end }: Directory): Promise<void> {
    if (this.#pathspec !== undefined && !this.#pathspec.mayMatchUnder(prefix.slice(0, -1))) return;
    const { fs, workTree } = this.repo;
    const found = await scanInOrder(fs, prefix === "" ? workTree : `${workTree}/${prefix.slice(0, -1)}`);
    const { paths } = this.#table;
    const from = prefix.length;
    let directories: Map<string, FileStat> | undefined;
    const directoryAt = (name: string) => {
      directories ??= new Map(found.flatMap((one) => (one.stat.type === "dir" ? [[one.name, one.stat]] : [])));
      return directories.get(name);
    };
    let at = start;
    for (const { name, stat } of found) {
      const isDirectory = stat.type === "dir";
      const key = isDirectory ? `${name}/` : name;
      let matched = false;
      while (at < end && !matched) {
        const order = compareAt(paths[at] as string, from, key);
        if (order > 0) break;
        matched = order === 0;
        if (!matched) at = this.#missing(at, end, from, directoryAt);
        else at = isDirectory ? this.#enter(prefix + key, at, end) : this.#file(at, end, stat);
      }
      const path = prefix + name;
      if (isDirectory && !matched) await this.#judgeReplaced({ path, stat });
      if (matched || !this.#unstaged || name === ".git") continue;
      if (!isDirectory || !this.#gitlinks.has(path)) this.result.unstaged.push({ path, stat });
    }
    while (at < end) at = this.#missing(at, end, from, directoryAt);
    if (this.#unstaged && found.some(({ name, stat }) => name === ".gitignore" && stat.type !== "dir")) {
      this.result.ignoreFiles.push(prefix);
    }
  }

  /** Staged entries under the directory are checked when it is visited. */
  #enter(prefix: string, start: number, end: number): number {
    const { paths } = this.#table;
    let low = start + 1;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((paths[middle] as string).startsWith(prefix)) low = middle + 1;
      else high = middle;
    }
    this.#waiting.push({ prefix, start, end: low });
    return low;
  }

  /** An entry without a file; a gitlink's is a directory, which comes later in the order. */
  #missing(at: number, end: number, from: number, directoryAt: (name: string) => FileStat | undefined): number {
    const table = this.#table;
    const path = table.paths[at] as string;
    if (stageAt(table, at) !== 0) return this.#unmerged(at, end, null);
    const name = path.slice(from);
    const directory = name.includes("/") ? undefined : directoryAt(name);
    if (directory !== undefined) {
      if (table.fields[FIELDS * at + MODE] !== MODE_GITLINK) this.#replaced.set(path, at);
      else {
        this.#gitlinks.add(path);
        const file = { path, stat: directory };
        if (this.#wants(path) && !this.options.ignoreGitlinks) this.#doubts.push({ at, file, racy: false });
      }
      return at + 1;
    }
    if (this.#unstaged && isSkipWorktree(table, at) && path.slice(from) === ".gitignore") {
      this.result.ignoreFiles.push(path.slice(0, from));
    }
    this.#deleted(path, at);
    return at + 1;
  }

  #deleted(path: string, at: number): void {
    const table = this.#table;
    if (!this.#wants(path) || isSkipWorktree(table, at) || isAssumedValid(table, at)) return;
    this.result.changes.push({ path, at, kind: "deleted", mode: 0, stat: null, oid: null });
  }

  /** A directory in the place of a staged file: the file was deleted, or became a repository. */
  async #judgeReplaced(file: WorkFile): Promise<void> {
    const { path, stat } = file;
    const at = this.#replaced.get(path);
    if (at === undefined) return;
    const oid = await readGitlinkHead(this.repo.fs, `${this.repo.workTree}/${path}`);
    if (oid === null) return this.#deleted(path, at);
    this.#gitlinks.add(path);
    if (!this.#wants(path) || isSkipWorktree(this.#table, at) || isAssumedValid(this.#table, at)) return;
    this.result.changes.push({ path, at, kind: "type", mode: MODE_GITLINK, stat, oid });
  }

  #file(at: number, end: number, stat: FileStat): number {
    const table = this.#table;
    if (stageAt(table, at) !== 0) return this.#unmerged(at, end, stat);
    const path = table.paths[at] as string;
    if (this.#pathspec !== undefined && !this.#wants(path)) return at + 1;
    const flags = table.flags[at] as number;
    if (flags > 0xfff && (isSkipWorktree(table, at) || isAssumedValid(table, at))) return at + 1;
    const field = FIELDS * at;
    const mode = table.fields[field + MODE] as number;
    if (flags > 0xffff && isIntentToAdd(table, at)) {
      const now = stagedMode(stat, this.#trust, mode);
      this.result.changes.push({ path, at, kind: "added", mode: now, stat, oid: null });
      return at + 1;
    }
    const mtime = table.fields[field + MTIME_SECONDS] as number;
    const size = table.fields[field + SIZE] as number;
    const isEmpty = size === 0 && oidAt(table, at) === EMPTY_BLOB;
    const verdict = compareStat(mode, mtime, size, isEmpty, stat, this.#trust);
    if (verdict === "modified") {
      const now = stagedMode(stat, this.#trust, mode);
      const kind = isSameType(now, mode) ? "modified" : "type";
      this.result.changes.push({ path, at, kind, mode: now, stat, oid: null });
      return at + 1;
    }
    const racy = isRacy(mtime, this.index.mtimeSeconds) && this.options.justWritten?.has(path) !== true;
    if (racy) this.#racy = true;
    if (verdict === "unknown" || racy) this.#doubts.push({ at, file: { path, stat }, racy: verdict === "same" });
    return at + 1;
  }

  #unmerged(start: number, end: number, stat: FileStat | null): number {
    const { paths } = this.#table;
    const path = paths[start] as string;
    let at = start + 1;
    while (at < end && paths[at] === path) at++;
    if (this.#wants(path)) this.result.unmerged.set(path, stat);
    return at;
  }

  #wants(path: string): boolean {
    return this.#pathspec === undefined || this.#pathspec.matches(path);
  }

  async #readDoubts(): Promise<void> {
    const table = this.#table;
    const gitlinks = this.#doubts.filter(({ file }) => file.stat.type === "dir");
    for (const { at, file } of gitlinks) {
      const head = await readGitlinkHead(this.repo.fs, `${this.repo.workTree}/${file.path}`);
      if (head === null || head === oidAt(table, at)) continue;
      this.result.changes.push({
        path: file.path,
        at,
        kind: "modified",
        mode: MODE_GITLINK,
        stat: file.stat,
        oid: head,
      });
    }
    const files = this.#doubts.filter(({ file }) => file.stat.type !== "dir");
    if (files.length === 0) return;
    const conversion = await openStagedConversion(this.repo, (path) => stagesAt(table, path));
    const oids = await hashWorkFiles(
      this.repo,
      files.map(({ file }) => file),
      { conversion },
    );
    for (const [i, { at, file, racy }] of files.entries()) {
      const oid = oids[i] ?? null;
      const mode = table.fields[FIELDS * at + MODE] as number;
      const { path, stat } = file;
      if (oid === null) this.result.changes.push({ path, at, kind: "deleted", mode: 0, stat: null, oid });
      else if (oid !== oidAt(table, at)) this.result.changes.push({ path, at, kind: "modified", mode, stat, oid });
      else if (racy) this.result.verified.push(at);
      else this.result.refreshed.push({ at, stat });
    }
  }
}

/**
 * Compares `path` from `from` on with `key`: a key with a trailing slash is a directory and equals everything under it; one without
 * is a file and must equal the whole rest.
 */
function compareAt(path: string, from: number, key: string): number {
  const isDirectory = key.endsWith("/");
  if (path.startsWith(key, from) && (isDirectory || path.length === from + key.length)) return 0;
  const slash = path.indexOf("/", from);
  const rest = slash < 0 ? path.slice(from) : path.slice(from, slash + 1);
  return compareText(rest, key);
}
