/** Packs and unpacks bodies with node:zlib. What is packed takes its time beside everything else; inflating is quick and stays in order. */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import { isWorthPacking, sampleOf } from "@workspace/protocol";

/** With `info`; the types do not know. */
interface Inflated {
  buffer: Buffer;
  /** How much of what was given it took. */
  engine: { bytesWritten: number };
}

const deflate = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw);
/** The quickest: four fifths of what more effort would save, in half the time. */
const LEVEL = { level: 1 };

/** Null where it would not be worth it. */
export async function packBody(body: Uint8Array): Promise<Uint8Array | null> {
  const sample = sampleOf(body);
  if (sample === null || !isWorthPacking(sample.length, deflateRawSync(sample, LEVEL).length)) return null;
  const packed = await deflate(body, LEVEL);
  return isWorthPacking(body.length, packed.length) ? packed : null;
}

/** Exactly `length` bytes, or it throws: zlib itself stops when more would come. */
export function unpackBody(packed: Uint8Array, length: number): Uint8Array {
  const { buffer, engine } = inflateRawSync(packed, { maxOutputLength: length, info: true }) as unknown as Inflated;
  if (buffer.length !== length) throw new Error("a packed body that is shorter than it says");
  if (engine.bytesWritten !== packed.length) throw new Error("a packed body with something behind it");
  return buffer;
}
