import { describe, expect, it } from "vitest";
import { encodeFrame, type Frame, readFrames } from "./frames.ts";

const bytes = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const text = new TextEncoder();

/** A stream of `content` in chunks of `size`, and whether it was cancelled. */
function streamOf(content: Uint8Array, size: number) {
  const state = { cancelled: false };
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= content.length) return controller.close();
      controller.enqueue(content.slice(at, at + size));
      at += size;
    },
    cancel() {
      state.cancelled = true;
    },
  });
  return { stream, state };
}

async function read(content: Uint8Array, size = 7, limits = {}): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of readFrames(streamOf(content, size).stream, limits)) frames.push(frame);
  return frames;
}

describe("encodeFrame", () => {
  it("encodeFrame writes lengths, header and body in this order", () => {
    expect(bytes(...encodeFrame({ a: 1 }, text.encode("xy")))).toEqual(
      bytes(Uint8Array.of(0, 0, 0, 13, 0, 0, 0, 7), text.encode('{"a":1}xy')),
    );
  });

  it("encodeFrame hands on a large body as it is, without a copy", () => {
    const body = new Uint8Array(100_000);
    const chunks = encodeFrame(1, body);
    expect(chunks).toHaveLength(2);
    expect(chunks[1]).toBe(body);
  });
});

describe("readFrames", () => {
  const wire = bytes(
    ...encodeFrame("one"),
    ...encodeFrame({ n: 2 }, text.encode("body")),
    ...encodeFrame([3], new Uint8Array(70_000)),
  );

  it.each([1, 3, 4096, 1_000_000])("readFrames finds the same frames in chunks of %i bytes", async (size) => {
    const frames = await read(wire, size);
    expect(frames.map((frame) => frame.header)).toEqual(["one", { n: 2 }, [3]]);
    expect(frames.map((frame) => frame.body.length)).toEqual([0, 4, 70_000]);
    expect(new TextDecoder().decode(frames[1]!.body)).toBe("body");
  });

  it("readFrames of an empty stream is no frames", async () => {
    expect(await read(new Uint8Array(0))).toEqual([]);
  });

  it.each([1, 3, 5, wire.length - 1])("readFrames refuses a stream cut after %i bytes", async (length) => {
    await expect(read(wire.slice(0, length))).rejects.toThrow("the stream ended inside a frame");
  });

  it("readFrames refuses a declared length over its limit before it reads on", async () => {
    const { stream, state } = streamOf(bytes(Uint8Array.of(255, 255, 255, 255), new Uint8Array(50)), 4);
    await expect(readFrames(stream).next()).rejects.toThrow("a frame of 4294967295 bytes");
    expect(state.cancelled).toBe(true);
  });

  it("readFrames refuses a header that is longer than its frame, or not JSON", async () => {
    await expect(read(Uint8Array.of(0, 0, 0, 5, 0, 0, 0, 9, 1))).rejects.toThrow("does not fit");
    await expect(read(Uint8Array.of(0, 0, 0, 5, 0, 0, 0, 1, 123))).rejects.toThrow("not JSON");
    await expect(read(Uint8Array.of(0, 0, 0, 2, 0, 0))).rejects.toThrow("a frame of 2 bytes");
  });

  it("readFrames cancels the stream when its reader leaves early", async () => {
    const { stream, state } = streamOf(wire, 5);
    for await (const _ of readFrames(stream)) break;
    expect(state.cancelled).toBe(true);
  });
});
