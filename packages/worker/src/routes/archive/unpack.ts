/**
 * Unpacks an archive's entries below a directory, all of them or none. What fits into memory is one `writeMany`; a larger archive
 * is staged out of sight and copied into place in one transaction. Until then nothing below the target changes.
 */
import type { BulkEntry, FileSystem } from "@cloudflare/workspace";
import { type ArchiveBudget, type ArchiveEntry, EntryGuard, invalidArchive, type TarEntry } from "@workspace/archive";
import type { ArchiveResponse } from "../../api/archive.ts";
import { LIMITS } from "../../limits.ts";
import { Staging } from "./staging.ts";

/** What an entry costs in memory beside its name and content. */
const ENTRY_BYTES = 256;

export async function unpack(
  fs: FileSystem,
  target: string,
  entries: AsyncIterable<ArchiveEntry | TarEntry>,
  budget: ArchiveBudget,
): Promise<ArchiveResponse> {
  const existing = (await fs.exists(target)) ? await fs.find(target, { type: "symlink" }) : [];
  const guard = new EntryGuard(
    existing.map(({ path }) => path.slice(target.length + 1)),
    budget,
  );
  await using unpacking = new Unpacking(fs, target, budget);
  for await (const entry of entries) {
    // The archive's own root, which exists or will be created.
    if (entry.name === "") continue;
    await guard.check(entry);
    await unpacking.add(entry);
  }
  await guard.finish();
  // Awaited here: the staging directory is removed when this function ends.
  return await unpacking.commit();
}

class Unpacking implements AsyncDisposable {
  readonly #fs: FileSystem;
  readonly #target: string;
  readonly #budget: ArchiveBudget;
  readonly #counts = { files: 0, directories: 0, symlinks: 0, bytes: 0 };
  /** Names are relative until they are written. */
  #held: BulkEntry[] = [];
  /** The last buffered entry of each name. */
  readonly #heldByName = new Map<string, BulkEntry>();
  #heldBytes = 0;
  #staging: Staging | null = null;

  constructor(fs: FileSystem, target: string, budget: ArchiveBudget) {
    this.#fs = fs;
    this.#target = target;
    this.#budget = budget;
  }

  async add(entry: ArchiveEntry | TarEntry): Promise<void> {
    const { name: path, mode } = entry;
    const mtime = entry.mtimeMs / 1000;
    if (entry.type === "dir") {
      this.#counts.directories++;
      return this.#hold({ path, type: "dir", mode: mode || 0o755 }, 0);
    }
    if (entry.type === "symlink") {
      this.#counts.symlinks++;
      return this.#hold({ path, type: "symlink", target: entry.target ?? "", mtime }, 0);
    }
    this.#counts.files++;
    if (entry.type === "copy") return this.#copy(path, entry.of);
    this.#counts.bytes += entry.size;
    this.#budget.checkBytes(entry.size);
    const content = entry.content ?? new Uint8Array();
    if (entry.size > LIMITS.archiveSmallFile && !(content instanceof Uint8Array)) {
      const staging = await this.#stage();
      // The buffer may hold a directory with a mode of its own, or a file that this one replaces.
      await this.#flush(staging);
      await this.#fs.mkdir(dirname(`${staging.path}/tree/${path}`), { recursive: true });
      await this.#fs.writeFile(`${staging.path}/tree/${path}`, content, { mode });
      return this.#fs.utimes(`${staging.path}/tree/${path}`, mtime, mtime);
    }
    await this.#hold({ path, content: await whole(content, entry.size), mode, mtime }, entry.size);
  }

  async commit(): Promise<ArchiveResponse> {
    const staging = this.#staging;
    const answer = { path: this.#target, ...this.#counts };
    if (staging === null) {
      const root: BulkEntry = { path: this.#target, type: "dir" };
      const inPlace = this.#held.map((entry) => ({ ...entry, path: `${this.#target}/${entry.path}` }));
      await this.#fs.writeMany((await this.#fs.exists(this.#target)) ? inPlace : [root, ...inPlace]);
      return answer;
    }
    await this.#flush(staging);
    const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
    await this.#fs.cp(`${staging.path}/tree`, this.#target, options);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#staging?.[Symbol.asyncDispose]();
  }

  async #hold(entry: BulkEntry, bytes: number): Promise<void> {
    this.#held.push(entry);
    this.#heldByName.set(entry.path, entry);
    this.#heldBytes += bytes + entry.path.length + ENTRY_BYTES;
    if (this.#staging === null && this.#heldBytes <= LIMITS.archiveMemory) return;
    if (this.#staging === null || this.#heldBytes > LIMITS.archiveBatch || this.#held.length >= 1000)
      await this.#flush(await this.#stage());
  }

  /** A hard link: the same bytes under another name. */
  async #copy(path: string, of: string): Promise<void> {
    const held = this.#heldByName.get(of);
    if (held !== undefined && "content" in held) {
      await this.#countCopy(held.content.length);
      return this.#hold({ ...held, path }, held.content.length);
    }
    const staging = this.#staging;
    if (staging === null || !(await this.#fs.exists(`${staging.path}/tree/${of}`)))
      throw invalidArchive(`a link names ${JSON.stringify(of)}, which has not come before it`);
    await this.#countCopy((await this.#fs.stat(`${staging.path}/tree/${of}`)).size);
    await this.#flush(staging);
    await this.#fs.mkdir(dirname(`${staging.path}/tree/${path}`), { recursive: true });
    await this.#fs.copyFile(`${staging.path}/tree/${of}`, `${staging.path}/tree/${path}`);
  }

  async #countCopy(bytes: number): Promise<void> {
    await this.#budget.spendBytes(bytes);
    this.#counts.bytes += bytes;
  }

  async #stage(): Promise<Staging> {
    this.#staging ??= await Staging.open(this.#fs);
    return this.#staging;
  }

  async #flush(staging: Staging): Promise<void> {
    if (this.#held.length === 0) return;
    const entries = this.#held.map((entry) => ({ ...entry, path: `${staging.path}/tree/${entry.path}` }));
    this.#held = [];
    this.#heldByName.clear();
    this.#heldBytes = 0;
    await this.#fs.writeMany(entries);
  }
}

function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

async function whole(content: Uint8Array | AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of content) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
