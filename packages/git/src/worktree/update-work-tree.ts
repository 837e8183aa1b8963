/**
 * Updates paths of the work tree and their index entries. All checks are done before: this removes and writes files. Removed files
 * leave no empty directory behind; new ones are written in batches, and their stats read back by directory.
 */
import type { BulkEntry, DetachedEntry, FileStat } from "@workspace/vfs";
import type { Conversion } from "../convert/conversion.ts";
import { GitError } from "../errors.ts";
import { indexStat, NO_STAT } from "../index/compare-stat.ts";
import type { IndexEditor } from "../index/index-editor.ts";
import type { IndexEntry } from "../index/index-entry.ts";
import { openStagedConversion, ownStage } from "../index/staged-conversion.ts";
import { isValidPath } from "../index/verify-path.ts";
import { freeBuffer } from "../memory/free-buffer.ts";
import { MODE_GITLINK, MODE_SYMLINK } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { decode } from "../text/bytes.ts";
import { groupBy } from "../text/group-by.ts";
import type { BlobPrewriter, EarlyFile } from "./blob-prewriter.ts";
import { removeFiles } from "./remove-files.ts";
import { type WorkRepository, WorkTreeStats } from "./work-tree-stats.ts";

export interface PathState {
  readonly mode: number;
  readonly oid: Oid;
  /** The entry is intent-to-add, and stays so. */
  readonly intentToAdd?: boolean | undefined;
}

export interface PathUpdate {
  readonly path: string;
  /** Null: removed. */
  readonly to: PathState | null;
}

export interface UpdateOptions {
  /** Called periodically with the number of files written. */
  progress?: (done: number, total: number) => void;
  /** Entries marked with `--skip-worktree` stay so. */
  keepsMarks?: boolean;
  /**
   * Which .gitattributes apply where the update brings none: those of the new index (default, as git when switching trees), or
   * those in the work tree (as git when checking out single paths).
   */
  attributes?: "index" | "worktree";
  /** Contents that need not be read. */
  early?: BlobPrewriter | undefined;
}

/** Limits of one bulk write. */
const BATCH_FILES = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

export async function updateWorkTree(
  repo: WorkRepository,
  editor: IndexEditor,
  updates: readonly PathUpdate[],
  options: UpdateOptions = {},
): Promise<void> {
  const written = updates.filter((update): update is PathUpdate & { to: PathState } => update.to !== null);
  const links = new Set(written.filter(({ to }) => to.mode === MODE_SYMLINK).map(({ path }) => path));
  for (const { path, to } of written) {
    if (!isValidPath(path, to.mode) || isBelow(links, path))
      throw new GitError("EINVAL", `invalid path '${path}'`, { prefix: "error" });
  }
  await refuseRepeated(repo, written);
  const gone = updates.filter(({ to }) => to === null).map(({ path }) => path);
  await removeFiles(repo, gone);
  // Single paths are checked out under the previous attributes, including attributes that the update removes.
  const before = options.attributes === "worktree" ? gone.filter(isAttributes).flatMap((path) => editor.at(path)) : [];
  for (const path of gone) editor.remove(path);
  if (written.length === 0) return;
  const stats = await writeFiles(repo, editor, written, { ...options, before });
  for (const { path, to } of written) {
    const stat = stats.get(path);
    const marked = options.keepsMarks && editor.at(path)[0]?.skipWorktree ? { skipWorktree: true } : {};
    editor.set({ path, stage: 0, ...to, stat: stat ? indexStat(stat) : NO_STAT, ...marked });
  }
}

/** A tree with a link and a directory of the same name would have files written through the link. */
function isBelow(links: ReadonlySet<string>, path: string): boolean {
  if (links.size === 0) return false;
  for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1))
    if (links.has(path.slice(0, slash))) return true;
  return false;
}

type WrittenFile = PathUpdate & { to: PathState };

/** A blob is counted if this many paths name it. */
const MANY_PATHS = 16;

/** Before any change: a pack of some kilobytes can name a blob of 16 MiB under every path of a tree. */
async function refuseRepeated({ odb, limits }: WorkRepository, files: readonly WrittenFile[]): Promise<void> {
  let bytes = 0;
  for (const [oid, same] of groupBy(files, ({ to }) => to.oid)) {
    if (same.length < MANY_PATHS || same[0]?.to.mode === MODE_GITLINK) continue;
    bytes += same.length * ((await odb.header(oid))?.size ?? 0);
    if (bytes > limits.repeatedBytes)
      throw new GitError("ETOOBIG", `paths that share a blob come to more than ${limits.repeatedBytes} bytes`);
  }
}

async function writeFiles(
  repo: WorkRepository,
  editor: IndexEditor,
  files: readonly WrittenFile[],
  { progress, early, attributes = "index", before }: UpdateOptions & { readonly before: readonly IndexEntry[] },
): Promise<Map<string, FileStat>> {
  const survey = new WorkTreeStats(repo);
  const fresh = new Map(files.filter(({ path }) => isAttributes(path)).map(({ path, to }) => [path, to.oid]));
  const stages = (path: string) => {
    const oid = fresh.get(path);
    return oid === undefined
      ? [...editor.at(path), ...before.filter((entry) => entry.path === path)]
      : [{ stage: 0, oid }];
  };
  const coming = (path: string) => (attributes === "index" ? ownStage(stages(path))?.oid : fresh.get(path));
  const conversion = await openStagedConversion(repo, stages, coming);
  await conversion.prepare(files.map(({ path }) => path));
  const writer = new BatchWriter(repo, survey, conversion);
  const links = files.filter(({ to }) => to.mode === MODE_GITLINK);
  const blobs = files.filter(({ to }) => to.mode !== MODE_GITLINK);
  for (const link of links) await writer.directory(link);
  const { ready, rest } = sortOut(blobs, conversion, early);
  let done = 0;
  for (const { file, content } of ready) {
    if (!writer.isFree(file)) await writer.clear(file);
    writer.staged(file, content);
    if (writer.isFull) await writer.flush();
    progress?.(++done, blobs.length);
  }
  const byOid = groupBy(rest, ({ to }) => to.oid);
  for await (const { oid, object, owned = false } of repo.odb.readMany([...byOid.keys()])) {
    const same = byOid.get(oid) as WrittenFile[];
    for (const file of same) {
      // Content that several files share is released with the last of them.
      if (object === null) await writer.large(file);
      else {
        if (!writer.isFree(file)) await writer.clear(file);
        writer.file(file, object.body, owned && file === same.at(-1));
        repo.odb.work?.spend(1, object.body.length);
        if (writer.isFull) await writer.flush();
        await repo.odb.work?.checkpoint();
      }
      progress?.(++done, blobs.length);
    }
  }
  await writer.flush();
  survey.forget();
  const stats = new Map<string, FileStat>();
  for (const { path, to } of files) {
    const known = survey.peek(path);
    const stat = known === undefined ? await survey.statOf(path) : known;
    if (stat !== null && to.mode !== MODE_GITLINK) stats.set(path, stat);
  }
  return stats;
}

/** Files whose contents are staged in the database, in order of arrival; and those to be read. */
function sortOut(blobs: readonly WrittenFile[], conversion: Conversion, early: BlobPrewriter | undefined) {
  const ready: { file: WrittenFile; content: EarlyFile }[] = [];
  if (early === undefined) return { ready, rest: blobs };
  const rest: WrittenFile[] = [];
  const used = new Set<number>();
  for (const file of blobs) {
    const content =
      file.to.mode !== MODE_SYMLINK && conversion.isWrittenAsIs(file.path) ? early.find(file.to.oid) : null;
    // A second file of the same content has its own.
    if (content === null || used.has(content.number)) rest.push(file);
    else {
      used.add(content.number);
      ready.push({ file, content });
    }
  }
  ready.sort((a, b) => a.content.number - b.content.number);
  return { ready, rest };
}

export function isAttributes(path: string): boolean {
  return path === ".gitattributes" || path.endsWith("/.gitattributes");
}

class BatchWriter {
  readonly #repo: WorkRepository;
  readonly #survey: WorkTreeStats;
  readonly #conversion: Conversion;
  readonly #symlinks: boolean;
  #entries: (BulkEntry | DetachedEntry)[] = [];
  /** Exclusively owned, and free once the batch is written. */
  #owned: Uint8Array[] = [];
  #bytes = 0;
  /** The last path verified to be a directory, or none yet. */
  #freeDirectory = "";

  constructor(repo: WorkRepository, survey: WorkTreeStats, conversion: Conversion) {
    this.#repo = repo;
    this.#survey = survey;
    this.#conversion = conversion;
    this.#symlinks = repo.config.getBool("core.symlinks") ?? true;
  }

  /** Whether nothing is in the way, synchronously as far as is known: most files need no await. */
  isFree({ path }: WrittenFile): boolean {
    return parentDirectory(path) === this.#freeDirectory && this.#survey.peek(path) === null;
  }

  get isFull(): boolean {
    return this.#entries.length >= BATCH_FILES || this.#bytes >= BATCH_BYTES;
  }

  /** Adds to the batch; the path is already cleared. */
  file({ path, to }: WrittenFile, body: Uint8Array, owned: boolean): void {
    const full = `${this.#repo.workTree}/${path}`;
    if (to.mode === MODE_SYMLINK && this.#symlinks)
      this.#entries.push({ path: full, type: "symlink", target: decode(body) });
    else {
      const isLink = to.mode === MODE_SYMLINK;
      const content =
        isLink || this.#conversion.isIdentity(path) ? body : this.#conversion.toWorkTree(path, body, to.oid);
      this.#entries.push({ path: full, content, mode: fileMode(to.mode) });
    }
    if (owned) this.#owned.push(body);
    this.#bytes += body.length;
  }

  /** As `file`, with a content that is in the database. */
  staged({ path, to }: WrittenFile, { contents, index }: EarlyFile): void {
    const full = `${this.#repo.workTree}/${path}`;
    this.#entries.push({ path: full, type: "staged", contents, index, mode: fileMode(to.mode) });
  }

  /** Streams a blob that is not held, without conversion, as git streams files larger than `core.bigFileThreshold`. */
  async large({ path, to }: WrittenFile): Promise<void> {
    this.#conversion.checkFilter(path, "smudge");
    await this.flush();
    const { fs, odb, workTree } = this.#repo;
    if (!(await odb.has(to.oid)))
      throw new GitError("ECORRUPT", `unable to read sha1 file of ${path} (${to.oid})`, { prefix: "error" });
    await this.clear({ path, to });
    await this.flush();
    const full = `${workTree}/${path}`;
    await fs.mkdir(full.slice(0, full.lastIndexOf("/")), { recursive: true });
    await fs.writeFile(full, await odb.stream(to.oid), { mode: fileMode(to.mode) });
    await fs.chmod(full, fileMode(to.mode));
  }

  async directory(file: WrittenFile): Promise<void> {
    await this.clear(file);
    this.#entries.push({ path: `${this.#repo.workTree}/${file.path}`, type: "dir" });
  }

  async flush(): Promise<void> {
    if (this.#entries.length === 0) return;
    const entries = this.#entries;
    this.#entries = [];
    this.#bytes = 0;
    // Staged contents exist only if the file system supports them.
    await this.#repo.fs.writeMany(entries as BulkEntry[]);
    freeBuffer(...this.#owned.splice(0));
  }

  /** Removes anything that cannot be overwritten: a link, a file of another kind or with other names, an empty directory. */
  async clear({ path, to: { mode } }: WrittenFile): Promise<void> {
    await this.#freeWay(parentDirectory(path), path);
    const stat = await this.#survey.statOf(path);
    if (stat === null) return;
    if (stat.type === "dir" && mode === MODE_GITLINK) return;
    if (stat.type === "file" && stat.nlink === 1 && mode !== MODE_SYMLINK && mode !== MODE_GITLINK) return;
    const full = `${this.#repo.workTree}/${path}`;
    if (stat.type === "dir") await this.#repo.fs.rm(full, { recursive: true, force: true });
    else this.#entries.push({ path: full, type: "remove" });
  }

  /** Removes a link or a file in the place of a directory, as git does: nothing may be written through the link. */
  async #freeWay(directory: string, path: string): Promise<void> {
    if (directory === this.#freeDirectory) return;
    const obstacle = await this.#survey.obstacle(path);
    if (obstacle !== null) {
      await this.flush();
      await this.#repo.fs.rm(`${this.#repo.workTree}/${obstacle}`);
      this.#survey.forget();
    }
    this.#freeDirectory = directory;
  }
}

function parentDirectory(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function fileMode(mode: number): number {
  return (mode & 0o100) !== 0 ? 0o755 : 0o644;
}
