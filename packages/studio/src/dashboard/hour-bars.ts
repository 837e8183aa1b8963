/** The last hours, including those without changes, and a scale that ends on a round number. */
const HOUR = 3_600_000;
const HOURS = 48;

export interface HourBar {
  time: number;
  changes: number;
  calls: number;
}

export function hourBars(hours: readonly HourBar[], now: number): { bars: HourBar[]; top: number; ticks: number[] } {
  const last = Math.floor(now / HOUR) * HOUR;
  const known = new Map(hours.map((hour) => [Math.floor(hour.time / HOUR) * HOUR, hour]));
  const bars = Array.from({ length: HOURS }, (_, i) => {
    const time = last - (HOURS - 1 - i) * HOUR;
    const { changes = 0, calls = 0 } = known.get(time) ?? {};
    return { time, changes, calls };
  });
  const top = roundUp(Math.max(4, ...bars.map(({ changes }) => changes)));
  return { bars, top, ticks: [0, top / 2, top] };
}

/** Rounds up to 1, 2 or 4 times a power of ten, so that halves stay whole. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 4, 10].find((one) => one * power >= value) ?? 10;
  return factor * power;
}
