/** Inflates a whole zlib stream in memory: loose objects, small entries of a pack. */
import { InflateError, Inflater, MIN_ROOM } from "./inflater.ts";

const inflater = new Inflater();

/** Exactly `size` bytes, from a stream that begins at `at`; more or less is an error. */
export function inflateExactly(input: Uint8Array, at: number, size: number): Uint8Array {
  const room = new Uint8Array(size + MIN_ROOM);
  const status = inflater.reset(size).inflate(input, at, input.length, room, 0, room.length, 0);
  if (status === "input") throw new InflateError("unexpected end of data");
  if (status === "output" || inflater.outputAt !== size) throw new InflateError("incorrect length");
  return room.subarray(0, size);
}

/** Inflates the beginning of the stream, as much as fits `room`; returns how many bytes. */
export function inflatePrefix(input: Uint8Array, at: number, room: Uint8Array): number {
  inflater.reset().inflate(input, at, input.length, room, 0, room.length, 0);
  return inflater.outputAt;
}

/** A stream of unknown length, at most `limit` bytes; `inputAt` is the byte after it. */
export function inflateAll(input: Uint8Array, at: number, limit: number): { bytes: Uint8Array; inputAt: number } {
  let room = new Uint8Array(Math.min(limit, Math.max(4096, (input.length - at) * 4)) + MIN_ROOM);
  inflater.reset();
  let inputAt = at;
  let outputAt = 0;
  for (;;) {
    const status = inflater.inflate(input, inputAt, input.length, room, outputAt, room.length, 0);
    ({ inputAt, outputAt } = inflater);
    if (outputAt > limit) throw new InflateError("incorrect length");
    if (status === "done") return { bytes: room.subarray(0, outputAt), inputAt };
    if (status === "input") throw new InflateError("unexpected end of data");
    if (room.length >= limit + MIN_ROOM) throw new InflateError("incorrect length");
    const wider = new Uint8Array(Math.min(limit, room.length * 2) + MIN_ROOM);
    wider.set(room.subarray(0, outputAt));
    room = wider;
  }
}
