/** The packs of one objects directory, newest first; the pack of the last hit is searched first. */
import type { FileStat, FileSystem } from "@workspace/vfs";
import type { GitLimits } from "../limits.ts";
import { ByteCache } from "../memory/byte-cache.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import type { Oid } from "../object/oid.ts";
import { type IndexPartCache, openPackIndex } from "../pack/pack-index.ts";
import { type BaseCache, PackReader } from "../pack/pack-reader.ts";
import { PageCache, PagedFile } from "../pack/paged-file.ts";
import { isAbsent } from "./loose-store.ts";
import type { GitObject } from "./object-database.ts";

/** Shared by all packs of a database, including its alternates'. */
export interface PackCaches {
  readonly pages: PageCache;
  readonly parts: IndexPartCache;
  readonly bases: BaseCache;
}

export function createPackCaches(memory: MemoryBudget): PackCaches {
  return {
    bases: new ByteCache(memory, memory.limit / 3, "objects that others are deltas on"),
    pages: new PageCache(memory, memory.limit / 6),
    parts: new ByteCache(memory, memory.limit / 12, "parts of indexes"),
  };
}

export interface PackStoreContext {
  readonly fs: FileSystem;
  readonly limits: GitLimits;
  readonly memory: MemoryBudget;
  readonly caches: PackCaches;
  readonly readExternalBase: (oid: Oid) => Promise<GitObject | null>;
}

export interface PackLocation {
  readonly pack: PackReader;
  readonly offset: number;
}

export class PackStore {
  readonly directory: string;
  readonly #ctx: PackStoreContext;
  #packs: PackReader[] | null = null;
  /** Opened before, to be compared with the current directory. */
  #before: readonly PackReader[] = [];
  #opening: Promise<PackReader[]> | null = null;

  /** Default `objects/pack`. */
  constructor(ctx: PackStoreContext, objects: string, within = "/pack") {
    this.#ctx = ctx;
    this.directory = `${objects}${within}`;
  }

  async packs(): Promise<readonly PackReader[]> {
    if (this.#packs !== null) return this.#packs;
    this.#opening ??= this.#reopen(this.#before).finally(() => {
      this.#opening = null;
    });
    this.#packs = await this.#opening;
    return this.#packs;
  }

  /** Open packs are compared with the directory before their next use. */
  markStale(): void {
    this.#before = this.#packs ?? this.#before;
    this.#packs = null;
  }

  /** Bytes of the open indexes. */
  get held(): number {
    let bytes = 0;
    for (const { index } of this.#packs ?? this.#before) bytes += index.held;
    return bytes;
  }

  /** True: the packs have changed. */
  async refresh(): Promise<boolean> {
    const before = this.#packs ?? this.#before;
    const now = await this.#reopen(before);
    this.#packs = now;
    return now.length !== before.length || now.some((pack) => !before.includes(pack));
  }

  /** As `find`, but only in memory; undefined: inconclusive. */
  findCached(oid: Oid): PackLocation | null | undefined {
    if (this.#packs === null) return undefined;
    for (const pack of this.#packs) {
      const offset = pack.index.find(oid);
      if (offset === null || offset < -1) return undefined;
      if (offset >= 0) return { pack, offset };
    }
    return null;
  }

  async find(oid: Oid): Promise<PackLocation | null> {
    const packs = this.#packs ?? (await this.packs());
    for (let i = 0; i < packs.length; i++) {
      const pack = packs[i] as PackReader;
      const known = pack.index.find(oid);
      const offset = known !== null && known >= -1 ? known : await pack.find(oid);
      if (offset < 0) continue;
      if (i > 0 && this.#packs === packs) {
        this.#packs.splice(i, 1);
        this.#packs.unshift(pack);
      }
      return { pack, offset };
    }
    return null;
  }

  async #reopen(before: readonly PackReader[]): Promise<PackReader[]> {
    const now = await this.#open(before);
    for (const pack of before) if (!now.includes(pack)) this.#ctx.memory.release(pack.index.held);
    this.#before = now;
    return now;
  }

  async #open(known: readonly PackReader[]): Promise<PackReader[]> {
    const files = await this.#files();
    const found: { pack: PackReader; mtime: number }[] = [];
    for (const [name, index] of files) {
      const pack = files.get(name.replace(/idx$/, () => "pack"));
      if (!name.endsWith(".idx") || pack === undefined) continue;
      const path = `${this.directory}/${name.slice(0, -3)}pack`;
      const mark = `${statFingerprint(pack)} ${statFingerprint(index)}`;
      const before = known.find((reader) => reader.file.path === path && reader.mark === mark);
      found.push({ pack: before ?? (await this.#reader(name, index.size, pack.size, mark)), mtime: pack.mtimeMs });
    }
    return found.sort((a, b) => b.mtime - a.mtime).map(({ pack }) => pack);
  }

  async #files(): Promise<Map<string, FileStat>> {
    try {
      const entries = await this.#ctx.fs.scan(this.directory);
      return new Map(entries.map(({ name, stat }) => [name, stat]));
    } catch (error) {
      if (isAbsent(error)) return new Map();
      throw error;
    }
  }

  async #reader(name: string, indexSize: number, packSize: number, mark: string): Promise<PackReader> {
    const { fs, memory, limits, caches, readExternalBase } = this.#ctx;
    const index = await openPackIndex(fs, `${this.directory}/${name}`, indexSize, memory, caches.parts);
    const file = new PagedFile(fs, `${this.directory}/${name.slice(0, -3)}pack`, packSize, caches.pages);
    return new PackReader(index, file, { fs, limits, bases: caches.bases, readExternalBase, mark });
  }
}

/** Changes if the file is replaced or modified; a change of mode or times is harmless. */
function statFingerprint({ ino, size, version, mtimeMs, ctimeMs }: FileStat): string {
  return `${ino} ${size} ${version} ${mtimeMs} ${ctimeMs}`;
}
