import { expect, it } from "vitest";
import { freeBuffer } from "./free-buffer.ts";

it("freeBuffer detaches a buffer once, whichever views of it are given", () => {
  const bytes = new Uint8Array(8);
  freeBuffer(bytes, bytes.subarray(2));
  expect(bytes.byteLength).toBe(0);
});

it("freeBuffer leaves the buffer to the collector where buffers cannot be transferred, as in Node 20", () => {
  const { transfer } = ArrayBuffer.prototype;
  const bytes = new Uint8Array(8);
  try {
    (ArrayBuffer.prototype as { transfer?: unknown }).transfer = undefined;
    freeBuffer(bytes);
  } finally {
    ArrayBuffer.prototype.transfer = transfer;
  }
  expect(bytes.byteLength).toBe(8);
});
