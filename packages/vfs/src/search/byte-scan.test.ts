/**
 * Counting and scanning four bytes at a time, compared with the plain loop: at every alignment, and with bytes that break such
 * tricks.
 */
import { expect, test } from "vitest";
import { ByteScan } from "./byte-scan.ts";

/** Neighbors of NUL and LF, and those with the high bit, are where borrows and carries would show. */
const ALPHABET = [0x00, 0x01, 0x09, 0x0a, 0x0b, 0x7f, 0x80, 0x81, 0x8a, 0xff];

function sample(length: number, seed: number, alphabet: readonly number[]): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return alphabet[(state >> 16) % alphabet.length] as number;
  });
}

const texts = (alphabet: readonly number[]) =>
  Array.from({ length: 90 }, (_, seed) => sample(90, seed, alphabet).subarray(seed % 7, (seed % 7) + (seed % 60)));

test("ByteScan counts the lines of any stretch", () => {
  for (const bytes of texts(ALPHABET)) {
    const scan = new ByteScan(bytes);
    for (let from = 0; from <= bytes.length; from += 3) {
      const ends = Array.from({ length: bytes.length - from + 1 }, (_, length) => from + length);
      const lines = ends.map((to) => bytes.subarray(from, to).filter((byte) => byte === 0x0a).length);
      expect(ends.map((to) => scan.countLines(from, to))).toEqual(lines);
    }
  }
});

test("ByteScan counts more lines than fit into a byte", () => {
  expect(new ByteScan(new Uint8Array(10_007).fill(0x0a)).countLines(1, 10_006)).toBe(10_005);
});

test("ByteScan sees a NUL byte, and nothing that is none", () => {
  for (const bytes of [...texts(ALPHABET), ...texts(ALPHABET.slice(1))]) {
    const scan = new ByteScan(bytes);
    const ends = Array.from({ length: bytes.length + 1 }, (_, to) => to);
    expect(ends.map((to) => scan.hasNul(to))).toEqual(ends.map((to) => bytes.subarray(0, to).includes(0)));
  }
  for (let at = 0; at < 70; at++) {
    const bytes = new Uint8Array(70).fill(1);
    bytes[at] = 0;
    expect([new ByteScan(bytes).hasNul(at), new ByteScan(bytes).hasNul(at + 1)]).toEqual([false, true]);
  }
});

test("ByteScan tells ASCII from all else", () => {
  for (let length = 0; length < 30; length++) {
    for (let offset = 0; offset < 5; offset++) {
      const bytes = new Uint8Array(40).fill(0x7f).subarray(offset, offset + length);
      expect(new ByteScan(bytes).isAscii()).toBe(true);
      for (let at = 0; at < length; at++) {
        bytes[at] = 0x80;
        expect([offset, length, at, new ByteScan(bytes).isAscii()]).toEqual([offset, length, at, false]);
        bytes[at] = 0x7f;
      }
    }
  }
});
