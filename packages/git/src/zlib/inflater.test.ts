/** The inflater compared with the runtime's zlib: every level, truncated input, little room, and broken streams. */
import { constants, deflateSync, inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflateAll, inflateExactly } from "./inflate.ts";
import { InflateError, Inflater, MIN_INPUT, MIN_ROOM } from "./inflater.ts";
import { inflateNatively } from "./native-inflate.ts";

/** Text-like, noise and runs, so that all kinds of block and symbol occur. */
const content = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 40 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 5000 })).map(([byte, times]) => Buffer.alloc(times, byte)),
      fc.constantFrom("function ", "return ", "\n  ", "const x = 1;").map((text) => Buffer.from(text.repeat(7))),
    ),
    { maxLength: 60 },
  )
  .map((parts) => new Uint8Array(Buffer.concat([...parts, ...parts])));
const deflated = fc
  .tuple(content, fc.integer({ min: 0, max: 9 }), fc.constantFrom(constants.Z_FIXED, constants.Z_DEFAULT_STRATEGY))
  .map(([bytes, level, strategy]) => ({ bytes, stream: new Uint8Array(deflateSync(bytes, { level, strategy })) }));

/** In pieces of input and of output, the window slid as a caller would. */
function inPieces(stream: Uint8Array, inputStep: number, room: number): Uint8Array {
  const inflater = new Inflater();
  const window = new Uint8Array(32768 + room);
  const parts: Uint8Array[] = [];
  let from = 0;
  let at = 0;
  let input = 0;
  for (let turn = 0; ; turn++) {
    expect(turn).toBeLessThan(100_000);
    const status = inflater.inflate(
      stream,
      from,
      Math.min(stream.length, from + inputStep),
      window,
      at,
      window.length,
      0,
    );
    parts.push(window.slice(input, inflater.outputAt));
    from = inflater.inputAt;
    input = at = inflater.outputAt;
    if (status === "done") break;
    if (window.length - at >= MIN_ROOM) continue;
    const retained = Math.min(at, 32768);
    window.copyWithin(0, at - retained, at);
    input = at = retained;
  }
  expect(from).toBe(stream.length);
  return Buffer.concat(parts);
}

describe("Inflater", () => {
  it("gives what zlib gives, and says where the stream ended", () => {
    fc.assert(
      fc.property(deflated, fc.uint8Array({ maxLength: 20 }), ({ bytes, stream }, behind) => {
        const input = Buffer.concat([stream, behind]);
        const whole = inflateAll(input, 0, bytes.length);
        expect(Buffer.compare(whole.bytes, bytes)).toBe(0);
        expect(whole.inputAt).toBe(stream.length);
        expect(Buffer.compare(inflateExactly(input, 0, bytes.length), bytes)).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it("goes on where input or room ended", () => {
    fc.assert(
      fc.property(
        deflated,
        fc.integer({ min: MIN_INPUT, max: 3000 }),
        fc.integer({ min: MIN_ROOM, max: 5000 }),
        ({ bytes, stream }, step, room) => {
          expect(Buffer.compare(inPieces(stream, step, room), bytes)).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("refuses what zlib refuses, in its words, and takes what it takes", () => {
    fc.assert(
      fc.property(
        deflated,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        ({ stream }, changes) => {
          const broken = stream.slice();
          for (const [at, byte] of changes) broken[at % broken.length] = byte;
          expect(outcome(() => inflateAll(broken, 0, 1 << 20).bytes)).toEqual(
            outcome(() => inflateSync(broken, { maxOutputLength: 1 << 20 })),
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("says the same whether the runtime's zlib is tried first or not, of whole, broken and cut streams", () => {
    fc.assert(
      fc.property(
        deflated,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }),
        fc.nat(),
        ({ bytes, stream }, changes, cut) => {
          const input = stream.slice(0, cut % 3 === 0 ? cut % stream.length : stream.length);
          for (const [at, byte] of changes) if (input.length > 0) input[at % input.length] = byte;
          expect(exactly(input, bytes.length, bytes.length)).toBe(exactly(input, bytes.length, 0));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("says the same when the last block is not marked as the last, whatever the checksum would be as a block", () => {
    for (let byte = 0; byte < 256; byte++) {
      const stream = new Uint8Array(deflateSync(Buffer.alloc(1376, byte), { level: 0 }));
      stream[2] = (stream[2] as number) & ~1;
      expect(exactly(stream, 1376, 1376)).toBe(exactly(stream, 1376, 0));
    }
  });

  it("has the runtime's zlib at hand", () => {
    const text = Buffer.from("some text ".repeat(100));
    const stream = deflateSync(text);
    const output = new Uint8Array(text.length + 1);
    expect(inflateNatively(stream, 0, stream.length, output, 0, text.length)).toBe(stream.length);
    expect(Buffer.compare(output.subarray(0, text.length), text)).toBe(0);
    // Cut, of another size, broken; and then it is as good as before.
    expect(inflateNatively(stream, 0, stream.length - 1, output, 0, text.length)).toBe(-1);
    expect(inflateNatively(stream, 0, stream.length, output, 0, text.length - 1)).toBe(-1);
    expect(inflateNatively(stream, 1, stream.length, output, 0, text.length)).toBe(-1);
    expect(inflateNatively(stream, 0, stream.length, output, 0, text.length)).toBe(stream.length);
  });

  it("never hangs or crashes on noise", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
        const input = Uint8Array.from([0x78, 0x9c, ...noise]);
        expect(outcome(() => inflateAll(input, 0, 1 << 20).bytes)).toEqual(
          outcome(() => inflateSync(input, { maxOutputLength: 1 << 20 })),
        );
      }),
      { numRuns: 2000 },
    );
  });
});

/** `expected` 0: all of it our own way. */
function exactly(input: Uint8Array, size: number, expected: number): string {
  return outcome(() => {
    const room = new Uint8Array(size + MIN_ROOM);
    const inflater = new Inflater().reset(expected);
    const status = inflater.inflate(input, 0, input.length, room, 0, room.length, 0);
    return Buffer.from(
      `${status} ${inflater.inputAt} ${inflater.outputAt} ${Buffer.from(room.subarray(0, inflater.outputAt)).toString("hex")}`,
    );
  });
}

/** zlib's own texts differ from ours for a stream that is cut, and for one that is too long. */
function outcome(inflate: () => Uint8Array): string {
  try {
    return Buffer.from(inflate()).toString("hex");
  } catch (error) {
    if (error instanceof InflateError) return error.message.replace("a dictionary is needed", "Missing dictionary");
    const { message } = error as Error;
    if (message === "unexpected end of file") return "unexpected end of data";
    if (/larger than/.test(message)) return "incorrect length";
    return message;
  }
}
