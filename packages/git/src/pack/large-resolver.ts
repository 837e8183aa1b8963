/** Deltas that are too large for the arena, and everything that depends on them: hashed as streams. */
import { WorkError } from "@workspace/protocol";
import { GitError } from "../errors.ts";
import { objectHeader } from "../hash/hash-object.ts";
import { createStreamingHash } from "../hash/streaming-hash.ts";
import type { ObjectType } from "../odb/object-database.ts";
import type { ByteSource } from "./byte-source.ts";
import { deltaSizes } from "./delta.ts";
import { type DeltaChainContext, streamDeltaChain } from "./delta-chain-stream.ts";
import { entryHeader, parseEntryHeader, typeOfCode } from "./entry-header.ts";
import { inflateStream, type StoredEntry } from "./inflate-stream.ts";
import { badObject, type PackParser } from "./pack-parser.ts";

/** `resolved` is called for every object that has its id, so that deltas waiting for the id can join. */
export async function resolveLarge(
  ctx: DeltaChainContext,
  intake: PackParser,
  source: ByteSource,
  rows: readonly number[],
  resolved: (row: number) => void,
): Promise<void> {
  const { table } = intake;
  const queue = [...rows];
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    await nameStreamed(ctx, intake, source, row);
    intake.resolved++;
    resolved(row);
    for (let next = table.firstWaiting[row] as number; next !== -1; next = table.nextWaiting[next] as number)
      queue.push(next);
    table.firstWaiting[row] = -1;
  }
}

async function nameStreamed(
  ctx: DeltaChainContext,
  { table, work }: PackParser,
  source: ByteSource,
  row: number,
): Promise<void> {
  const offset = table.offset[row] as number;
  try {
    const chain: StoredEntry[] = [];
    let base = row;
    let created = 0;
    for (; (table.base[base] as number) >= 0; base = table.base[base] as number) {
      chain.unshift(await storedEntry(source, table.offset[base] as number));
      if (base !== row) created += table.size[base] as number;
    }
    const whole = await storedEntry(source, table.offset[base] as number);
    const size = await resultSize(source, chain.at(-1) as StoredEntry);
    const type = table.type[base] as number;
    // Every object of the chain is rebuilt for each of its dependents.
    work.spend(created + size, source.size);
    const hash = createStreamingHash();
    hash.update(objectHeader(typeOfCode(type) as ObjectType, size));
    for await (const piece of streamDeltaChain(ctx, source, whole, chain)) {
      hash.update(piece);
      work.budget?.spend(0, piece.length);
      await work.checkpoint();
    }
    table.names.set(hash.digest(), row * 20);
    table.type[row] = type;
    table.size[row] = size;
  } catch (error) {
    if (error instanceof WorkError || (error instanceof GitError && error.code === "ETOOBIG")) throw error;
    throw badObject(offset, (error as Error).message);
  }
}

async function storedEntry(source: ByteSource, offset: number): Promise<StoredEntry> {
  const bytes = source.peek(offset) ?? (await source.at(offset));
  if (!parseEntryHeader(bytes, 0, bytes.length)) throw badObject(offset, "truncated");
  return { dataAt: offset + entryHeader.dataAt, size: entryHeader.size };
}

async function resultSize(source: ByteSource, delta: StoredEntry): Promise<number> {
  for await (const piece of inflateStream(source, delta)) return deltaSizes(piece).resultSize;
  throw badObject(delta.dataAt, "empty delta");
}
