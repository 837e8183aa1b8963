/**
 * The contents of both sides of pairs, each read at most once while needed: objects from the database, work tree files in bulk and
 * converted as they would be staged. Content over the limit for a whole object counts as binary and is never held.
 */
import { type Conversion, openConversion } from "../convert/conversion.ts";
import { GitError } from "../errors.ts";
import { hashObject } from "../hash/hash-object.ts";
import { hashWorkFiles, readWorkFiles } from "../index/hash-work-file.ts";
import { isGitlinkMode, isSymlinkMode } from "../object/file-mode.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { encode, equalBytes } from "../text/bytes.ts";
import { type DiffDriver, type DiffDrivers, openDiffDrivers, plainDrivers } from "./diff-drivers.ts";
import { exists, type FilePair, type FileSpec } from "./file-pair.ts";
import { stagedContent } from "./staged-files.ts";

/** Null: too large to hold. */
export type Content = Uint8Array | null;

/** git searches for a NUL only up to here. */
const BINARY_LOOK = 8000;
/** Number of work tree files read at once. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_FILES = 200;
const EMPTY = new Uint8Array(0);

export class FileContents {
  readonly #cache = new Map<FileSpec, Content>();
  readonly #hashes = new Map<FileSpec, Oid>();
  #drivers: Promise<DiffDrivers> | undefined;
  #conversion: Promise<Conversion> | undefined;
  #known: DiffDrivers = plainDrivers;

  /** Null: no repository; all contents are given. */
  constructor(readonly repo: Repository | null) {}

  /** Loads the attributes of the paths, before drivers are looked up. */
  async prepare(pairs: readonly FilePair[]): Promise<void> {
    if (this.repo === null) return;
    this.#drivers ??= openDiffDrivers(this.repo);
    this.#known = await this.#drivers;
    const paths = new Set<string>();
    for (const { old, new: fresh } of pairs) paths.add(old.path).add(fresh.path);
    await this.#known.prepare(paths);
  }

  driver(side: FileSpec): DiffDriver {
    // A link's content is a path, whatever its name suggests.
    return isSymlinkMode(side.mode) ? plainDrivers.of(side.path) : this.#known.of(side.path);
  }

  /** Length of a conflict marker. */
  markerSize(path: string): number {
    const size =
      this.#known.attributes?.isEmpty === false ? this.#known.attributes.get(path, "conflict-marker-size") : 0;
    return Number.parseInt(String(size), 10) || 7;
  }

  whitespaceAttribute(path: string): string | boolean | undefined {
    return this.#known.whitespace(path);
  }

  async content(side: FileSpec): Promise<Content> {
    const known = this.#cache.get(side);
    if (known !== undefined) return known;
    const content = await this.#read(side);
    this.#cache.set(side, content);
    return content;
  }

  /** Reads those of these that are in the work tree, in few calls. */
  async prefetch(sides: readonly FileSpec[]): Promise<void> {
    const files = sides.filter((side) => inWorkTree(side) && !this.#cache.has(side));
    if (files.length < 2 || this.repo === null) return;
    let bytes = 0;
    const batch: FileSpec[] = [];
    for (const side of files) {
      bytes += side.stat?.size ?? 0;
      if (batch.length === BATCH_FILES || (bytes > BATCH_BYTES && batch.length > 0)) break;
      batch.push(side);
    }
    await this.#readWorkTree(batch);
  }

  /** Frees the contents of the sides. */
  release(...sides: FileSpec[]): void {
    for (const side of sides) this.#cache.delete(side);
  }

  async size(side: FileSpec): Promise<number> {
    if (!exists(side)) return 0;
    const known = this.#cache.get(side);
    if (known) return known.length;
    if (side.oid !== null && !isGitlinkMode(side.mode) && this.repo && !side.input) {
      return (await this.repo.odb.header(side.oid))?.size ?? 0;
    }
    return (await this.content(side))?.length ?? side.stat?.size ?? 0;
  }

  async isBinaryPair({ old, new: fresh }: FilePair): Promise<boolean> {
    return (await this.isBinary(old)) || (await this.isBinary(fresh));
  }

  async isBinary(side: FileSpec): Promise<boolean> {
    if (!exists(side)) return false;
    const { binary } = isGitlinkMode(side.mode) ? { binary: false } : this.driver(side);
    if (binary !== null) return binary;
    const content = await this.content(side);
    return content === null || bufferIsBinary(content);
  }

  /** Its id if known without reading: rename detection hashes work tree files, and `--raw` then shows the id. */
  knownOid(side: FileSpec): Oid | null {
    return side.oid ?? this.#hashes.get(side) ?? null;
  }

  /** Id of the content as it would be stored; null id if it does not exist. */
  async oid(side: FileSpec): Promise<Oid> {
    if (!exists(side)) return ZERO_OID;
    if (side.oid !== null) return side.oid;
    // Standard input is not an object.
    if (side.input && side.path === "-") return ZERO_OID;
    const known = this.#hashes.get(side);
    if (known) return known;
    const oid = await this.#hash(side);
    this.#hashes.set(side, oid);
    return oid;
  }

  /** False if the sizes alone show that contents differ. */
  async mayBeSame({ old, new: fresh }: FilePair): Promise<boolean> {
    const work = old.oid === null ? old : fresh;
    if (!work.stat || !this.repo || isGitlinkMode(work.mode)) return true;
    const conversion = await this.#openConversion(this.repo);
    await conversion.prepare([work.path]);
    if (!isSymlinkMode(work.mode) && !conversion.isIdentity(work.path)) return true;
    return (await this.size(old === work ? fresh : old)) === work.stat.size;
  }

  /** Shares the drivers' attributes: their files are read once. */
  #openConversion(repo: Repository): Promise<Conversion> {
    this.#drivers ??= openDiffDrivers(repo);
    this.#conversion ??= this.#drivers.then(({ attributes }) =>
      openConversion(repo, {
        staged: (path) => stagedContent(repo, path),
        ...(attributes ? { attributes } : {}),
      }),
    );
    return this.#conversion;
  }

  async isSame(pair: FilePair): Promise<boolean> {
    const { old, new: fresh } = pair;
    if (old.oid !== null && fresh.oid !== null) return old.oid === fresh.oid;
    const [a, b] = [await this.content(old), await this.content(fresh)];
    if (a !== null && b !== null) return equalBytes(a, b);
    return a === b && (await this.oid(old)) === (await this.oid(fresh));
  }

  async #hash(side: FileSpec): Promise<Oid> {
    const content = await this.content(side);
    if (content !== null) return hashObject("blob", content);
    const { repo } = this;
    if (!repo || repo.workTree === null || !side.stat) return ZERO_OID;
    const [oid] = await hashWorkFiles({ ...repo, workTree: repo.workTree }, [{ path: side.path, stat: side.stat }]);
    return oid ?? ZERO_OID;
  }

  async #read(side: FileSpec): Promise<Content> {
    if (!exists(side)) return EMPTY;
    if (side.input) return side.input;
    if (isGitlinkMode(side.mode))
      return encode(`Subproject commit ${side.oid ?? ZERO_OID}${side.dirty ? "-dirty" : ""}\n`);
    if (this.repo === null) return EMPTY;
    if (side.oid === null) {
      await this.#readWorkTree([side]);
      return this.#cache.get(side) ?? null;
    }
    try {
      return (await this.repo.odb.need(side.oid, "blob")).body;
    } catch (error) {
      if (error instanceof GitError && error.code === "ETOOBIG") return null;
      throw error;
    }
  }

  async #readWorkTree(sides: readonly FileSpec[]): Promise<void> {
    const { repo } = this;
    if (!repo || repo.workTree === null) return;
    const position = { fs: repo.fs, workTree: repo.workTree };
    const small = sides.filter(({ stat }) => stat !== undefined && stat.size <= repo.limits.wholeObject);
    for (const side of sides) if (!small.includes(side)) this.#cache.set(side, null);
    const files = small.map((side) => ({ path: side.path, stat: side.stat as NonNullable<FileSpec["stat"]> }));
    const contents = await readWorkFiles(position, files);
    const conversion = await this.#openConversion(repo);
    await conversion.prepare(files.map(({ path }) => path));
    for (const [i, side] of small.entries()) {
      const content = contents[i] ?? EMPTY;
      const asIs = isSymlinkMode(side.mode) || conversion.isIdentity(side.path);
      this.#cache.set(side, asIs ? content : await conversion.toGit(side.path, content, { warn: repo.warn }));
    }
  }
}

export function bufferIsBinary(content: Uint8Array): boolean {
  const at = content.indexOf(0);
  return at >= 0 && at < BINARY_LOOK;
}

function inWorkTree(side: FileSpec): boolean {
  return exists(side) && side.oid === null && !side.input && !isGitlinkMode(side.mode);
}
