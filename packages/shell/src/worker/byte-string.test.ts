import { expect, it } from "vitest";
import { fromBinaryString, toBinaryString } from "./byte-string.ts";

it("fromBinaryString returns the bytes that toBinaryString took, whichever pieces are ASCII", () => {
  const bytes = new Uint8Array(50_000).fill(0x61);
  for (const at of [0, 8191, 8192, 20_000, 49_999]) bytes[at] = 0x80 + (at % 128);
  const text = toBinaryString(bytes);
  expect(text.length).toBe(bytes.length);
  expect(Buffer.compare(fromBinaryString(text), bytes)).toBe(0);
  expect(fromBinaryString("")).toEqual(new Uint8Array(0));
});
