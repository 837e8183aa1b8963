import { expect, it } from "vitest";
import { Utf8Boundary } from "./utf8-boundary.ts";

const text = "aé€😀z\u0301\n";
const bytes = new TextEncoder().encode(text);
const decode = (part: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(part);

it("Utf8Boundary keeps every character whole, wherever text is cut", () => {
  for (let size = 1; size <= bytes.length; size++) {
    const boundary = new Utf8Boundary();
    let joined = "";
    for (let at = 0; at < bytes.length; at += size) joined += decode(boundary.push(bytes.slice(at, at + size)));
    expect(joined + decode(boundary.end())).toBe(text);
  }
});

it("Utf8Boundary passes bytes that are no text, at most three of them later", () => {
  const odd = Uint8Array.from([0x80, 0xff, 0xc0, 0xe2, 0x28, 0xf5, 0xf0, 0x9f, 0x98]);
  const boundary = new Utf8Boundary();
  const out: number[] = [];
  for (const byte of odd) {
    out.push(...boundary.push(Uint8Array.of(byte)));
    expect(boundary.partialChar.length).toBeLessThanOrEqual(3);
  }
  expect([...out, ...boundary.end()]).toEqual([...odd]);
});
