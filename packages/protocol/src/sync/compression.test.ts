import { expect, it } from "vitest";
import { FrameError } from "../frames.ts";
import { BandwidthEstimator } from "./bandwidth-estimator.ts";
import { isWorthPacking, joinBody, packedLength, sampleOf } from "./compression.ts";
import { SYNC_LIMITS } from "./sync-limits.ts";

const MIB = 1024 * 1024;

it("BandwidthEstimator believes the best of the last ten seconds, and nothing before it has measured", () => {
  const gauge = new BandwidthEstimator();
  const isSlow = (now: number) => gauge.shouldCompress(MIB, now, true);
  expect([gauge.rate, isSlow(0)]).toEqual([null, false]);
  expect(gauge.begin(1, SYNC_LIMITS.gaugeBytes - 1, 0)).toBe(false);
  expect(gauge.begin(2, MIB, 0)).toBe(true);
  // One measurement at a time; an acknowledgment of another message is ignored.
  expect(gauge.begin(3, MIB, 1)).toBe(false);
  gauge.end(3, 5);
  expect(gauge.rate).toBe(null);
  gauge.end(2, 1000);
  expect([gauge.rate, isSlow(1000)]).toEqual([MIB, true]);
  // On a slow link a smaller body is enough: compressed bodies are small.
  expect(gauge.begin(4, SYNC_LIMITS.gaugeAgainBytes, 2000)).toBe(true);
  gauge.end(4, 2000);
  expect(isSlow(2000)).toBe(false);
  gauge.begin(5, MIB, 3000);
  gauge.end(5, 4000);
  expect(isSlow(4000)).toBe(false);
  gauge.begin(6, MIB, 12_000);
  gauge.end(6, 13_000);
  expect([gauge.rate, isSlow(13_000)]).toEqual([MIB, true]);
});

it("BandwidthEstimator tries a slow link again after ten seconds, with what takes half a second at most and has the link to itself", () => {
  const gauge = new BandwidthEstimator();
  gauge.begin(1, MIB, 0);
  gauge.end(1, 1000);
  expect(gauge.shouldCompress(100_000, 10_999, true)).toBe(true);
  expect(gauge.shouldCompress(100_000, 11_000, true)).toBe(false);
  expect(gauge.shouldCompress(100_000, 11_000, false)).toBe(true);
  expect(gauge.shouldCompress(MIB, 11_000, true)).toBe(true);
  expect(gauge.shouldCompress(1000, 11_000, true)).toBe(true);
  gauge.begin(2, 100_000, 11_000);
  expect(gauge.shouldCompress(100_000, 11_000, true)).toBe(true);
  gauge.end(2, 11_002);
  expect(gauge.shouldCompress(MIB, 11_003, true)).toBe(false);
});

it("packedLength takes what deflate can have made, and refuses anything else", () => {
  const body = new Uint8Array(100);
  expect(packedLength({}, body)).toBe(null);
  expect(packedLength({ packed: 101 }, body)).toBe(101);
  for (const packed of [0, -1, 1.5, 100, "200", null, true, SYNC_LIMITS.messageBytes + 1, 200_000])
    expect(() => packedLength({ packed }, body), String(packed)).toThrow(FrameError);
  expect(() => packedLength({ packed: 10 }, new Uint8Array(0))).toThrow(FrameError);
});

it("sampleOf takes the whole of a short body, none of a tiny one, and three places of a long one", () => {
  expect(sampleOf(new Uint8Array(4095))).toBe(null);
  const short = new Uint8Array(5000);
  expect(sampleOf(short)).toBe(short);
  const long = Uint8Array.from({ length: 100_000 }, (_, i) => (i < 50_000 ? 1 : 2));
  const sample = sampleOf(long) as Uint8Array;
  expect([sample.length, sample[0], sample[6000], sample.at(-1)]).toEqual([12_288, 1, 1, 2]);
  expect([isWorthPacking(100, 90), isWorthPacking(100, 91)]).toEqual([true, false]);
  expect(joinBody([Uint8Array.of(1), Uint8Array.of(2, 3)])).toEqual(Uint8Array.of(1, 2, 3));
});
