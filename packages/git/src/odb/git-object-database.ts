/** `ObjectDatabase` over a file system: sources in order, each with packs and loose objects. */
import type { WorkBudget } from "@workspace/protocol";
import type { BulkEntry, FileSystem } from "@workspace/vfs";
import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import { hashObject } from "../hash/hash-object.ts";
import type { GitLimits } from "../limits.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { EMPTY_TREE, type Oid } from "../object/oid.ts";
import { ownedPieces } from "../pack/inflate-stream.ts";
import { abbreviate } from "./abbreviate.ts";
import { LooseStore } from "./loose-store.ts";
import type { GitObject, ObjectDatabase, ObjectHeader, ObjectType, ReadObject } from "./object-database.ts";
import { intactNow, otherCopy } from "./other-copy.ts";
import type { PackCache } from "./pack-cache.ts";
import { createPackCaches, type PackCaches, type PackLocation, PackStore } from "./pack-store.ts";
import { readAlternates } from "./read-alternates.ts";
import { readInPackOrder } from "./read-in-pack-order.ts";
import { gather, writeLooseStream } from "./write-loose-stream.ts";

interface GitObjectDatabaseOptions {
  readonly fs: FileSystem;
  readonly objects: string;
  readonly alternates?: readonly string[];
  readonly limits: GitLimits;
  readonly memory: MemoryBudget;
  readonly work: WorkBudget;
  readonly config?: GitConfig;
  readonly promisor?: (oids: readonly Oid[]) => Promise<void>;
  /** Packs still open from the previous command; `memory` is theirs. */
  readonly packCache?: PackCache;
}

/** One objects directory. */
export interface ObjectSource {
  readonly directory: string;
  readonly loose: LooseStore;
  readonly packs: PackStore;
}

/** Number of bodies written at once. */
const WRITE_BATCH = 8 * 1024 * 1024;
const RECENT = 32;
const RECENT_BYTES = 4096;
const NOTHING: GitObject = { type: "tree", body: new Uint8Array(0) };

export class GitObjectDatabase implements ObjectDatabase {
  readonly memory: MemoryBudget;
  readonly #options: GitObjectDatabaseOptions;
  readonly #caches: PackCaches;
  /** The last few small objects: a history walk reads each commit twice. */
  readonly #recent = new Map<Oid, GitObject>();
  #sources: Promise<readonly ObjectSource[]> | null = null;
  #opened: readonly ObjectSource[] | null = null;

  constructor(options: GitObjectDatabaseOptions) {
    this.#options = options;
    this.memory = options.memory;
    this.#caches = options.packCache?.caches ?? createPackCaches(options.memory);
    if (options.packCache !== undefined) options.packCache.readExternalBase = (oid) => this.read(oid);
  }

  async read(oid: Oid): Promise<GitObject | null> {
    const found = this.peek(oid) ?? (await this.#readHere(oid));
    if (found !== null) return found;
    if (oid === EMPTY_TREE) return NOTHING;
    if (await this.#refreshed()) {
      const again = await this.#readHere(oid);
      if (again !== null) return again;
    }
    if (this.#options.promisor === undefined) return null;
    await this.prefetch([oid]);
    return this.#readHere(oid);
  }

  peek(oid: Oid): GitObject | null {
    const recent = this.#recent.get(oid);
    if (recent !== undefined) return recent;
    const object = this.#readRetained(oid);
    if (object !== null && object.body.length <= RECENT_BYTES) {
      if (this.#recent.size >= RECENT) this.#recent.clear();
      this.#recent.set(oid, object);
    }
    return object;
  }

  async need(oid: Oid, type?: ObjectType): Promise<GitObject> {
    const object = this.peek(oid) ?? (await this.read(oid));
    if (object === null) throw missing(oid, type);
    // Every walk over objects passes here: yields to other requests, and checks for an abort.
    this.work.spend(1, object.body.length);
    if (this.work.isDue) await this.work.pause();
    if (type !== undefined && object.type !== type)
      throw new GitError("EINVAL", `object ${oid} is a ${object.type}, not a ${type}`, { prefix: "error" });
    return object;
  }

  async header(oid: Oid): Promise<ObjectHeader | null> {
    const found = await this.#headerHere(oid);
    if (found !== null) return found;
    if (oid === EMPTY_TREE) return { type: "tree", size: 0 };
    if (await this.#refreshed()) return this.#headerHere(oid);
    if (this.#options.promisor === undefined) return null;
    await this.prefetch([oid]);
    return this.#headerHere(oid);
  }

  async has(oid: Oid): Promise<boolean> {
    return (await this.#locate(oid)) !== null || oid === EMPTY_TREE;
  }

  async missing(oids: readonly Oid[]): Promise<Oid[]> {
    const gone: Oid[] = [];
    for (const oid of oids) if (!(await this.has(oid))) gone.push(oid);
    return gone;
  }

  async stream(oid: Oid): Promise<AsyncIterable<Uint8Array>> {
    // `header` also fetches promised objects.
    const header = await this.header(oid);
    if (header === null) throw missing(oid, "blob");
    if (header.type !== "blob" || header.size <= this.#options.limits.wholeObject / 4)
      return once((await this.need(oid, "blob")).body);
    const located = await this.inPack(oid);
    if (located !== null) return ownedPieces(located.pack.stream(located.offset));
    for (const { loose } of await this.sources()) {
      const pieces = await loose.stream(oid, this.#caches.pages);
      if (pieces !== null) return ownedPieces(pieces);
    }
    throw missing(oid, "blob");
  }

  readMany(oids: readonly Oid[]): AsyncIterable<ReadObject> {
    return readInPackOrder(this, oids);
  }

  async write(type: ObjectType, body: Uint8Array): Promise<Oid> {
    const [oid] = await this.writeMany([{ type, body }]);
    return oid as Oid;
  }

  async writeMany(objects: readonly GitObject[]): Promise<Oid[]> {
    const oids = objects.map(({ type, body }) => hashObject(type, body));
    const { loose } = (await this.sources())[0] as ObjectSource;
    const level =
      this.#options.config?.getInt("core.loosecompression") ?? this.#options.config?.getInt("core.compression") ?? 1;
    const written = new Set<Oid>();
    let batch: BulkEntry[] = [];
    let bytes = 0;
    for (const [i, oid] of oids.entries()) {
      if (written.has(oid) || (await this.#locate(oid)) !== null) continue;
      written.add(oid);
      const { type, body } = objects[i] as GitObject;
      batch.push(loose.entry(oid, type, body, level));
      bytes += body.length;
      if (bytes < WRITE_BATCH) continue;
      await this.#options.fs.writeMany(batch);
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) await this.#options.fs.writeMany(batch);
    return oids;
  }

  async writeStream(size: number, content: AsyncIterable<Uint8Array>): Promise<Oid> {
    const { fs, limits } = this.#options;
    if (size <= limits.wholeObject / 4) return this.write("blob", await gather(size, content));
    const { loose } = (await this.sources())[0] as ObjectSource;
    return writeLooseStream(fs, loose, size, content);
  }

  async withPrefix(prefix: string, max = Number.POSITIVE_INFINITY): Promise<Oid[]> {
    const found = new Set<Oid>();
    for (const { loose, packs } of await this.sources()) {
      for (const pack of await packs.packs())
        for (const oid of await pack.index.withPrefix(prefix, max)) found.add(oid);
      for await (const oid of loose.list(prefix)) {
        found.add(oid);
        if (found.size >= 2 * max) break;
      }
    }
    return [...found].sort().slice(0, max);
  }

  abbreviate(oid: Oid, length?: number): Promise<string> {
    return abbreviate(this, oid, length ?? this.#options.config?.get("core.abbrev"));
  }

  async refresh(): Promise<void> {
    await this.#refreshed();
  }

  /** For a partial clone: fetches those of these that are missing, all at once. */
  async prefetch(oids: readonly Oid[]): Promise<void> {
    const { promisor } = this.#options;
    if (promisor === undefined) return;
    const gone = await this.missing(oids);
    if (gone.length === 0) return;
    await promisor(gone);
    await this.refresh();
  }

  /** Its object directories; the first is its own, and written to. */
  async sources(): Promise<readonly ObjectSource[]> {
    if (this.#opened !== null) return this.#opened;
    this.#sources ??= this.#openSources();
    this.#opened = await this.#sources;
    return this.#opened;
  }

  get fs(): FileSystem {
    return this.#options.fs;
  }

  /** For incoming packs. */
  get intake() {
    const { fs, memory, limits, work } = this.#options;
    return { fs, memory, limits, work };
  }

  get work(): WorkBudget {
    return this.#options.work;
  }

  get limits(): GitLimits {
    return this.#options.limits;
  }

  /** Its pack and offset; null: in none. */
  async inPack(oid: Oid): Promise<PackLocation | null> {
    for (const { packs } of this.#opened ?? (await this.sources())) {
      const located = await packs.find(oid);
      if (located !== null) return located;
    }
    return null;
  }

  #readRetained(oid: Oid): GitObject | null {
    for (const { packs } of this.#opened ?? []) {
      const located = packs.findCached(oid);
      if (located === undefined) return null;
      if (located !== null) return intactNow(() => located.pack.readCached(located.offset));
    }
    return null;
  }

  async #readHere(oid: Oid): Promise<GitObject | null> {
    const located = await this.inPack(oid);
    if (located === null) return this.#firstLoose((loose) => loose.read(oid));
    return located.pack
      .read(located.offset)
      .catch((error: unknown) =>
        otherCopy(this, { oid, damaged: located.pack, error }, (copy) =>
          copy instanceof LooseStore ? copy.read(oid) : copy.pack.read(copy.offset),
        ),
      );
  }

  async #headerHere(oid: Oid): Promise<ObjectHeader | null> {
    const located = await this.inPack(oid);
    if (located === null) return this.#firstLoose((loose) => loose.header(oid));
    return located.pack
      .header(located.offset)
      .catch((error: unknown) =>
        otherCopy(this, { oid, damaged: located.pack, error }, (copy) =>
          copy instanceof LooseStore ? copy.header(oid) : copy.pack.header(copy.offset),
        ),
      );
  }

  async #firstLoose<T>(look: (loose: LooseStore) => Promise<T | null>): Promise<T | null> {
    for (const { loose } of await this.sources()) {
      const found = await look(loose);
      if (found !== null) return found;
    }
    return null;
  }

  async #locate(oid: Oid): Promise<PackLocation | LooseStore | null> {
    const located = await this.inPack(oid);
    if (located !== null) return located;
    for (const { loose } of await this.sources()) if (await loose.has(oid)) return loose;
    return null;
  }

  /** True: there are new packs. */
  async #refreshed(): Promise<boolean> {
    let changed = false;
    for (const { packs } of await this.sources()) if (await packs.refresh()) changed = true;
    return changed;
  }

  async #openSources(): Promise<ObjectSource[]> {
    const { fs, objects, alternates = [], limits, memory, packCache } = this.#options;
    const directories = await readAlternates(fs, objects, alternates);
    const context = { fs, limits, memory, caches: this.#caches, readExternalBase: (oid: Oid) => this.read(oid) };
    return directories.map((directory) => ({
      directory,
      loose: new LooseStore(fs, directory, limits),
      packs: packCache?.store(directory) ?? new PackStore(context, directory),
    }));
  }
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

function missing(oid: Oid, type: ObjectType | undefined): GitError {
  if (type === "commit") return new GitError("ENOTFOUND", `Could not read ${oid}`, { prefix: "error" });
  return new GitError("ENOTFOUND", type === "tree" ? `unable to read tree ${oid}` : `unable to read ${oid}`);
}
