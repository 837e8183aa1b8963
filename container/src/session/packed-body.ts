/**
 * Compresses and decompresses message bodies with node:zlib. Compression is asynchronous; decompression is fast and runs in message
 * order.
 */
import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import { isWorthPacking, sampleOf } from "@workspace/protocol";

/** Called with `info`, which the types lack. */
interface Inflated {
  buffer: Buffer;
  /** How many input bytes it consumed. */
  engine: { bytesWritten: number };
}

const deflate = promisify<Uint8Array, { level: number }, Buffer>(deflateRaw);
/** The fastest level: four fifths of the savings of higher levels, in half the time. */
const LEVEL = { level: 1 };

/** Null if compression does not pay off. */
export async function packBody(body: Uint8Array): Promise<Uint8Array | null> {
  const sample = sampleOf(body);
  if (sample === null || !isWorthPacking(sample.length, deflateRawSync(sample, LEVEL).length)) return null;
  const packed = await deflate(body, LEVEL);
  return isWorthPacking(body.length, packed.length) ? packed : null;
}

/** Returns exactly `length` bytes or throws: zlib itself stops if there are more. */
export function unpackBody(packed: Uint8Array, length: number): Uint8Array {
  const { buffer, engine } = inflateRawSync(packed, { maxOutputLength: length, info: true }) as unknown as Inflated;
  if (buffer.length !== length) throw new Error("a packed body that is shorter than it says");
  if (engine.bytesWritten !== packed.length) throw new Error("a packed body with something behind it");
  return buffer;
}
