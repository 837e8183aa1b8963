/**
 * Indexes a pack as it arrives: writes it to a temporary file in pieces, and inflates, resolves and hashes every object with
 * bounded memory. Pack and index get their names only after everything is verified. A partial pack is never visible.
 */
import type { WorkBudget } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { createStreamingHash, type StreamingHash } from "../hash/streaming-hash.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import type { GitObject } from "../odb/object-database.ts";
import { equalBytes } from "../text/bytes.ts";
import { appendBase, sealPack } from "./complete-thin.ts";
import { DeltaResolver } from "./delta-resolver.ts";
import type { PackObserver } from "./pack-observer.ts";
import { PackParser, WINDOW } from "./pack-parser.ts";
import { type PackLimits, PackWork } from "./pack-work.ts";
import { PageBuffer } from "./page-buffer.ts";
import { sortingBytes, writePackIndex } from "./write-pack-index.ts";

interface IndexPackContext {
  readonly fs: FileSystem;
  /** `objects/pack`; created if missing. */
  readonly directory: string;
  readonly memory: MemoryBudget;
  readonly limits?: PackLimits;
  /** Absent if no other request waits. */
  readonly work?: WorkBudget | undefined;
}

export interface IndexPackProgress {
  /** Bytes of the stream. */
  readonly bytes: number;
  /** From the header; 0 before it has arrived. */
  readonly objects: number;
  readonly received: number;
  readonly deltas: number;
  readonly resolved: number;
}

export interface IndexPackOptions {
  /** For a thin pack: reads an object of the repository. Absent: a thin pack is refused. */
  readonly base?: (oid: Oid) => Promise<GitObject | null>;
  /** Called periodically, not for every object. */
  readonly progress?: (progress: IndexPackProgress) => void;
  readonly maxObjects?: number;
  readonly watch?: PackObserver | undefined;
}

export interface IndexedPack {
  /** The name of both files: `pack-<checksum>`. */
  readonly checksum: string;
  readonly objects: number;
  readonly bytes: number;
  readonly pack: string;
  readonly index: string;
}

/** Input is examined in blocks of this size: a complete object inflates much faster than one in parts. */
const GATHERED = 256 * 1024;
/** Deltas between two reports of progress. */
const REPORT = 1000;

export async function indexPack(
  ctx: IndexPackContext,
  stream: AsyncIterable<Uint8Array>,
  options: IndexPackOptions = {},
): Promise<IndexedPack> {
  const { fs, directory } = ctx;
  await fs.mkdir(directory, { recursive: true });
  const mark = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  const packPath = `${directory}/tmp_pack_${mark}`;
  const indexPath = `${directory}/tmp_idx_${mark}`;
  try {
    const indexed = await parsePack(ctx, stream, options, packPath, indexPath);
    return await publish(ctx, indexed, packPath, indexPath);
  } catch (error) {
    await fs.rm(packPath, { force: true });
    await fs.rm(indexPath, { force: true });
    throw error;
  }
}

interface ParsedPack {
  readonly checksum: Uint8Array;
  readonly objects: number;
  readonly bytes: number;
}

async function parsePack(
  ctx: IndexPackContext,
  stream: AsyncIterable<Uint8Array>,
  options: IndexPackOptions,
  packPath: string,
  indexPath: string,
): Promise<ParsedPack> {
  const { fs, memory } = ctx;
  const { progress, maxObjects = Number.POSITIVE_INFINITY, watch } = options;
  const work = new PackWork(ctx.work, ctx.limits);
  using intake = new PackParser({ memory, maxObjects, watch, work });
  const report = () =>
    progress?.({
      bytes: intake.position + intake.at,
      objects: Math.max(0, intake.total),
      received: intake.table?.count ?? 0,
      deltas: intake.deltas,
      resolved: intake.resolved,
    });
  await fs.writeFile(packPath, receive(intake, stream, report), { flag: "wx", mode: 0o644 });
  if (intake.resolved < intake.deltas) await resolveRest(ctx, intake, packPath, options, report);
  await intake.publish(true);
  intake.freeBuffers();
  report();
  const { checksum } = intake;
  const { table } = intake;
  using _order = memory.lease(sortingBytes(table.count), "the order of a pack's objects");
  await fs.writeFile(indexPath, writePackIndex(table, checksum), { flag: "wx", mode: 0o444 });
  return { checksum, objects: table.count, bytes: intake.position };
}

/** The second pass, and a third for the missing bases of a thin pack, which changes its checksum. */
async function resolveRest(
  ctx: IndexPackContext,
  intake: PackParser,
  packPath: string,
  { base }: IndexPackOptions,
  report: () => void,
): Promise<void> {
  await using file = await ctx.fs.open(packPath, "r+");
  const bytes = ctx.memory.limit / 16;
  using _pages = ctx.memory.lease(bytes, "pages of a pack");
  let count = 0;
  using pages = new PageBuffer(file, intake.position, bytes);
  const resolver = new DeltaResolver(ctx, intake, pages, () => {
    if (++count % REPORT === 0) report();
  });
  await resolver.resolveAll();
  if (base !== undefined && intake.byName.size > 0) {
    for (const oid of [...intake.byName.keys()]) {
      // A base that is a delta itself may be resolved by now.
      const object = intake.byName.has(oid) ? await base(oid) : null;
      if (object === null) continue;
      await appendBase(intake, file, oid, object);
      pages.grow(intake.position);
      await resolver.resolveAll();
    }
  }
  if (intake.resolved < intake.deltas) throw unresolved(intake.deltas - intake.resolved);
  if (intake.table.count > intake.total) intake.checksum = await sealPack(intake, file);
}

function unresolved(count: number): GitError {
  return new GitError("ECORRUPT", `pack has ${count} unresolved delta${count === 1 ? "" : "s"}`);
}

/** The first pass: yields bytes to write, each time a part of the window, which is reused after that. */
async function* receive(
  intake: PackParser,
  stream: AsyncIterable<Uint8Array>,
  report: () => void,
): AsyncGenerator<Uint8Array> {
  const hash = createStreamingHash();
  const { window } = intake;
  for await (const piece of stream) {
    for (let from = 0; from < piece.length; ) {
      const count = Math.min(piece.length - from, WINDOW - intake.filled);
      window.set(piece.subarray(from, from + count), intake.filled);
      intake.filled += count;
      from += count;
      if (intake.filled - intake.at < GATHERED && intake.filled < WINDOW) continue;
      await consume(intake);
      if (intake.writable(false) > 0) {
        yield* taken(intake, hash, false);
        // Combined with the write of the pack: each turn that writes is a commit.
        await intake.publish();
      }
      // Nothing was consumed from a full window: an entry's header does not end.
      else if (intake.filled === WINDOW) throw new GitError("ECORRUPT", "bad object header");
      report();
    }
  }
  await consume(intake);
  if (!intake.complete) throw new GitError("ECORRUPT", "early EOF");
  yield* taken(intake, hash, true);
  if (intake.filled < 20) throw new GitError("ECORRUPT", "early EOF");
  if (intake.filled > 20) throw new GitError("ECORRUPT", "pack has junk at the end");
  const input = window.slice(0, 20);
  if (!equalBytes(hash.digest(), input)) throw new GitError("ECORRUPT", "pack is corrupted (SHA1 mismatch)");
  intake.checksum = input;
  intake.position += 20;
  yield input;
}

async function consume(intake: PackParser): Promise<void> {
  do {
    await intake.work.checkpoint();
    intake.consume();
  } while (intake.isPaused);
}

/** Consumed bytes go to the file, the rest moves to the front. */
function* taken(intake: PackParser, hash: StreamingHash, all: boolean): Generator<Uint8Array> {
  const count = intake.writable(all);
  if (count === 0) return;
  const done = intake.window.subarray(0, count);
  hash.update(done);
  yield done;
  intake.slide(count);
}

/** The index last: a pack exists once its index does. */
async function publish(
  { fs, directory }: IndexPackContext,
  { checksum, objects, bytes }: ParsedPack,
  packPath: string,
  indexPath: string,
): Promise<IndexedPack> {
  const name = oidFromBytes(checksum);
  const pack = `${directory}/pack-${name}.pack`;
  const index = `${directory}/pack-${name}.idx`;
  await fs.chmod(packPath, 0o444);
  await fs.rename(packPath, pack);
  await fs.rename(indexPath, index);
  return { checksum: name, objects, bytes, pack, index };
}
