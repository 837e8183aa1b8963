/** Text in bytes that are not UTF-8, and conversion between encodings. */
import { describe, expect, it } from "vitest";
import { decode, encode } from "./bytes.ts";
import { decodeFrom, encodeInto, reencode } from "./encodings.ts";

describe("decode", () => {
  it("gives text that encode turns into the same bytes, whatever they are", () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    const pieces = ["a", "é", "日", "🗂", "\ufffd", "\u{10ffff}"].map((text) => [...Buffer.from(text)]);
    for (let round = 0; round < 500; round++) {
      const bytes = Array.from({ length: random(8) }, () =>
        random(2) === 0 ? [random(256)] : (pieces[random(pieces.length)] as number[]),
      ).flat();
      expect([...encode(decode(Uint8Array.from(bytes)))]).toEqual(bytes);
    }
  });

  it("keeps each byte that is no UTF-8 as half of a pair", () => {
    expect(decode(Uint8Array.of(0x61, 0xe9, 0xc3, 0xa9, 0xff))).toBe("a\udce9é\udcff");
    expect(decode(Uint8Array.of(0xed, 0xa0, 0x80))).toBe("\udced\udca0\udc80");
  });
});

describe("encodeInto", () => {
  it.each([
    "ISO-8859-1",
    "iso8859-15",
    "CP1251",
    "KOI8-R",
    "eucJP",
    "SHIFT-JIS",
    "ISO-2022-JP",
    "EUC-KR",
    "GBK",
    "Big5",
  ])("is the inverse of decodeFrom in %s", (name) => {
    const samples = ["plain\n", "naïve\n", "русский\n", "日本語、カナ。\n", "한국어\n", "中文\n"];
    const encoded = samples.map((text) => encodeInto(text, name));
    expect(encoded.filter((bytes) => bytes !== null).length).toBeGreaterThan(1);
    for (const [i, bytes] of encoded.entries()) if (bytes !== null) expect(decodeFrom(bytes, name)).toBe(samples[i]);
  });

  it("has nothing for a character that is not there, and for a name that is none", () => {
    expect(encodeInto("日", "latin1")).toBe(null);
    expect(encodeInto("é", "SJIS")).toBe(null);
    expect(encodeInto("a", "utf-99")).toBe(null);
  });
});

describe("reencode", () => {
  it("goes from bytes of one encoding to bytes of the other", () => {
    expect(reencode("gr\udcfcn", "ISO8859-1", "UTF-8")).toBe("grün");
    expect(reencode("grün", "utf8", "latin1")).toBe("gr\udcfcn");
    expect(reencode("gr\udcfcn", "UTF-8", "latin1")).toBe(null);
    expect(reencode("gr\udcfcn", "", "latin1")).toBe("gr\udcfcn");
  });
});
