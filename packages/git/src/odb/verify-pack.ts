/** Lists a pack entry by entry, inflating and rehashing every object. */
import type { FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { hashObject } from "../hash/hash-object.ts";
import { createStreamingHash } from "../hash/streaming-hash.ts";
import { defaultGitLimits } from "../limits.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import type { Oid } from "../object/oid.ts";
import { openPackIndex } from "../pack/pack-index.ts";
import { PackReader } from "../pack/pack-reader.ts";
import { PagedFile } from "../pack/paged-file.ts";
import { equalBytes } from "../text/bytes.ts";
import type { ObjectType } from "./object-database.ts";
import { createPackCaches } from "./pack-store.ts";

interface VerifiedEntry {
  readonly oid: Oid;
  readonly type: ObjectType;
  /** Size of the delta, if it is one. */
  readonly size: number;
  readonly packedSize: number;
  readonly offset: number;
  /** Length of the delta chain; 0: a whole object. */
  readonly depth: number;
  readonly base: Oid | null;
}

const STEP = 1024 * 1024;

/** In pack order; throws git's error at the first invalid entry. `path` is the `.idx`. */
export async function* verifyPack(fs: FileSystem, path: string, memory: MemoryBudget): AsyncGenerator<VerifiedEntry> {
  const packPath = path.replace(/idx$/, () => "pack");
  const [indexSize, packSize] = await Promise.all([sizeOf(fs, path), sizeOf(fs, packPath)]);
  const caches = createPackCaches(memory);
  const index = await openPackIndex(fs, path, indexSize, memory, caches.parts);
  await verifyChecksum(fs, packPath, packSize);
  const file = new PagedFile(fs, packPath, packSize, caches.pages);
  const options = { fs, limits: defaultGitLimits, bases: caches.bases, readExternalBase: async () => null };
  const reader = new PackReader(index, file, options);
  const entries: { oid: Oid; offset: number }[] = [];
  for await (const entry of index.entries()) entries.push(entry);
  entries.sort((a, b) => a.offset - b.offset);
  const known = new Map<number, { oid: Oid; depth: number }>();
  for (const [i, { oid, offset }] of entries.entries()) {
    const { type, body } = await reader.read(offset);
    if (hashObject(type, body) !== oid)
      throw new GitError("ECORRUPT", `packed ${oid} from ${packPath} is corrupt`, { prefix: "error", exitCode: 1 });
    const { size, baseAt } = await reader.entry(offset);
    const base = known.get(baseAt);
    const depth = baseAt < 0 ? 0 : (base?.depth ?? 0) + 1;
    known.set(offset, { oid, depth });
    const end = entries[i + 1]?.offset ?? packSize - 20;
    yield { oid, type, size, packedSize: end - offset, offset, depth, base: base?.oid ?? null };
  }
}

async function verifyChecksum(fs: FileSystem, path: string, size: number): Promise<void> {
  const hash = createStreamingHash();
  for (let at = 0; at < size - 20; at += STEP)
    hash.update(await fs.readRange(path, at, Math.min(STEP, size - 20 - at)));
  if (!equalBytes(hash.digest(), await fs.readRange(path, size - 20, 20)))
    throw new GitError("ECORRUPT", `${path} SHA1 checksum mismatch`, { prefix: "error", exitCode: 1 });
}

async function sizeOf(fs: FileSystem, path: string): Promise<number> {
  const stat = await fs.stat(path).catch(() => null);
  if (stat === null) throw new GitError("ENOTFOUND", `Cannot open existing pack file '${path}'`, { exitCode: 1 });
  return stat.size;
}
