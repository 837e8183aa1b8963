import { expect, it } from "vitest";
import { LineBuffer } from "./line-buffer.ts";

it("take returns the pieces in order, in a few blocks", () => {
  const buffer = new LineBuffer();
  let expected = "";
  for (let i = 0; i < 100_000; i++) {
    buffer.text(`é${i}:`);
    buffer.bytes(new TextEncoder().encode("line\n"));
    expected += `é${i}:line\n`;
  }
  const blocks = buffer.take();
  expect(blocks.length).toBeLessThan(40);
  expect(Buffer.concat(blocks).toString()).toBe(expected);
  expect(buffer.take()).toEqual([]);
});

it("bytes copies what its caller may reuse", () => {
  const buffer = new LineBuffer();
  const bytes = Uint8Array.of(1, 2);
  buffer.bytes(bytes);
  bytes.fill(0);
  expect(buffer.take()).toEqual([Uint8Array.of(1, 2)]);
});

it("bytes fails with EFBIG instead of taking the memory of the object", () => {
  const buffer = new LineBuffer();
  const line = new Uint8Array(5_000_000);
  expect(() => {
    for (let i = 0; i < 20_000; i++) buffer.bytes(line);
  }).toThrow(expect.objectContaining({ code: "EFBIG" }));
});
