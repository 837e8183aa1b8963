import { describe, expect, it } from "vitest";
import { hourBars } from "./hour-bars.ts";

const HOUR = 3_600_000;

describe("hourBars", () => {
  it("hourBars fills empty hours, and ends its scale on a round number", () => {
    const now = 1000 * HOUR + 1234;
    const { bars, top, ticks } = hourBars([{ time: 998 * HOUR, changes: 37, calls: 2 }], now);
    expect(bars).toHaveLength(48);
    expect(bars.at(-1)).toEqual({ time: 1000 * HOUR, changes: 0, calls: 0 });
    expect(bars.at(-3)).toEqual({ time: 998 * HOUR, changes: 37, calls: 2 });
    expect([top, ticks]).toEqual([40, [0, 20, 40]]);
  });

  it("hourBars has a scale when there is nothing to scale", () => {
    expect(hourBars([], 5 * HOUR).ticks).toEqual([0, 2, 4]);
  });
});
