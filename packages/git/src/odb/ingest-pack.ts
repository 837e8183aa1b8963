/**
 * Adds an incoming pack to a database: a large one is stored as is, with an index; a small one is unpacked, as git does, so
 * that many fetches do not leave many packs.
 */
import { GitError } from "../errors.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import { type IndexedPack, type IndexPackProgress, indexPack } from "../pack/index-pack.ts";
import type { PackObserver } from "../pack/pack-observer.ts";
import type { GitObjectDatabase, ObjectSource } from "./git-object-database.ts";
import type { GitObject, ObjectDatabase } from "./object-database.ts";
import { createPackCaches, PackStore } from "./pack-store.ts";
import { asGitDatabase } from "./write-pack.ts";

/** fetch.unpackLimit, transfer.unpackLimit: fewer objects than this are unpacked. */
const UNPACK_LIMIT = 100;

interface ReceivePackOptions {
  readonly progress?: (progress: IndexPackProgress) => void;
  /** Fewer objects than this are unpacked; 0: none ever. Default 100. */
  readonly unpackLimit?: number;
  readonly maxObjects?: number;
  readonly watch?: PackObserver | undefined;
}

export interface ReceivedPack {
  readonly objects: number;
  /** The pack's checksum, if it was stored. */
  readonly checksum: string | null;
}

/** Number of objects written together when unpacking. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** On success the database knows the objects; on an error it is unchanged. */
export async function ingestPack(
  database: ObjectDatabase,
  stream: AsyncIterable<Uint8Array>,
  { unpackLimit = UNPACK_LIMIT, progress, maxObjects, watch }: ReceivePackOptions = {},
): Promise<ReceivedPack> {
  const odb = asGitDatabase(database);
  const own = (await odb.sources())[0] as ObjectSource;
  const { count, stream: whole } = await peekCount(stream);
  if (count === 0) {
    for await (const _ of whole);
    return { objects: 0, checksum: null };
  }
  const unpacks = count < unpackLimit;
  const directory = unpacks
    ? `${own.packs.directory}/tmp_unpack_${crypto.randomUUID().slice(0, 8)}`
    : own.packs.directory;
  try {
    const base = async (oid: Parameters<GitObjectDatabase["read"]>[0]) => ((await odb.has(oid)) ? odb.read(oid) : null);
    const indexed = await indexPack({ ...odb.intake, directory }, whole, {
      base,
      progress,
      maxObjects,
      watch,
    });
    if (unpacks) await unpack(odb, directory, indexed);
    await odb.refresh();
    return { objects: count, checksum: unpacks ? null : indexed.checksum };
  } finally {
    if (unpacks) await odb.fs.rm(directory, { recursive: true, force: true });
  }
}

/** Writes those objects of a small pack that the database lacks as loose ones. */
async function unpack(odb: GitObjectDatabase, directory: string, { index }: IndexedPack): Promise<void> {
  const { fs, limits } = odb;
  const memory = new MemoryBudget(limits.memory / 4);
  const context = { fs, limits, memory, caches: createPackCaches(memory), readExternalBase: async () => null };
  const packs = new PackStore(context, directory, "");
  const [reader] = await packs.packs();
  if (reader === undefined) throw new GitError("ECORRUPT", `cannot open ${index}`);
  let batch: GitObject[] = [];
  let bytes = 0;
  for await (const { oid, offset } of reader.index.entries()) {
    await odb.work.checkpoint();
    const { type, size } = await reader.header(offset);
    if (type === "blob" && size > limits.wholeObject / 4) {
      if (!(await odb.has(oid))) await odb.writeStream(size, reader.stream(offset));
      continue;
    }
    batch.push(await reader.read(offset));
    bytes += size;
    if (bytes < BATCH_BYTES) continue;
    await odb.writeMany(batch);
    batch = [];
    bytes = 0;
  }
  await odb.writeMany(batch);
}

/** The object count from the header, and the stream including the header. */
async function peekCount(stream: AsyncIterable<Uint8Array>) {
  const pieces = stream[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let head = new Uint8Array(0);
  while (head.length < 12) {
    const { done, value } = await pieces.next();
    if (done) break;
    // The source may reuse its buffer.
    first.push(value.slice());
    head = Uint8Array.from([...head, ...value.subarray(0, 12)]);
  }
  if (head.length < 12) throw new GitError("ECORRUPT", "early EOF");
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* first;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  return { count: new DataView(head.buffer).getUint32(8), stream: whole() };
}
