import { expect, it } from "vitest";
import { humanSize, humanTime, isoTime, modeText, octalMode, oneLine } from "./human.ts";

it("isoTime is what a date says, in whatever order times come", () => {
  const times = [
    0, 1, 999, 1000, 1001, 1005.9, 5, 1_800_000_000_007, 1_800_000_000_070, 999, -1, -1000, -999, 1_800_000_000_700,
  ];
  for (const ms of [...times, ...times.toReversed()])
    expect([ms, isoTime(ms)]).toEqual([ms, new Date(Math.floor(ms)).toISOString()]);
  expect(() => isoTime(Number.NaN)).toThrow();
  expect(isoTime(5)).toBe("1970-01-01T00:00:00.005Z");
});

it("sizes, times, modes and names read as people write them", () => {
  expect([0, 1023, 1024, 1536, 10_240, 1024 ** 2, 1024 ** 5].map(humanSize)).toEqual([
    ...["0 B", "1023 B", "1 KB", "1.5 KB", "10 KB", "1 MB", "1024 TB"],
  ]);
  expect(humanTime(1_800_000_000_123)).toBe("2027-01-15 08:00:00 UTC");
  expect([modeText(0o755, "file"), modeText(0o640, "directory"), modeText(0o777, "symlink")]).toEqual([
    ...["-rwxr-xr-x", "drw-r-----", "lrwxrwxrwx"],
  ]);
  expect([octalMode(0o100644), octalMode(0o7)]).toEqual(["0644", "0007"]);
  expect([oneLine("a b"), oneLine("a\nb"), oneLine("a\u2028b")]).toEqual(["a b", '"a\\nb"', '"a\u2028b"']);
});
