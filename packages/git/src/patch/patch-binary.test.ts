/** The deltas of binary patches: as long as those of real git, and they restore the target. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDelta } from "../pack/create-delta.ts";
import { applyDelta } from "../pack/delta.ts";

function noise(seed: number, length: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 24;
  });
}

const join8 = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

const CASES: [string, Uint8Array, Uint8Array][] = [
  ["an insertion", noise(1, 900), join8(noise(1, 900).slice(0, 400), noise(2, 30), noise(1, 900).slice(400))],
  ["a removal", noise(3, 5000), join8(noise(3, 5000).slice(0, 1000), noise(3, 5000).slice(2000))],
  ["two halves swapped", noise(4, 3000), join8(noise(4, 3000).slice(1500), noise(4, 3000).slice(0, 1500))],
  ["more of the same", new Uint8Array(4000).fill(0), new Uint8Array(4100).fill(0)],
  ["a copy over 64 kB", noise(5, 90_000), join8(noise(6, 10), noise(5, 90_000))],
  ["blocks repeated many times", repeated(200), join8(repeated(200), noise(8, 50), repeated(100))],
];

function repeated(times: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let i = 0; i < times; i++) parts.push(noise(9, 48), Uint8Array.of(i));
  return join8(...parts);
}

/** The size that "delta" has in `git diff --binary`; null: git took the whole. */
function gitDeltaSize(before: Uint8Array, after: Uint8Array): number | null {
  const dir = mkdtempSync(join(tmpdir(), "delta-"));
  try {
    // A NUL makes both binary.
    writeFileSync(join(dir, "a"), before);
    writeFileSync(join(dir, "b"), after);
    const argv = ["diff", "--no-index", "--binary", "a", "b"];
    const { stdout } = spawnSync("git", argv, { cwd: dir, encoding: "latin1", maxBuffer: 2 ** 26 });
    const size = /^delta (\d+)$/m.exec(stdout.slice(0, stdout.indexOf("\n\n")))?.[1];
    return size === undefined ? null : Number(size);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

describe("createDelta", () => {
  it.each(CASES)("makes of %s what git makes", (_, base, target) => {
    const [before, after] = [join8(base, Uint8Array.of(0)), join8(target, Uint8Array.of(0))];
    const delta = createDelta(before, after);
    expect(delta).not.toBeNull();
    expect(applyDelta(before, delta as Uint8Array)).toEqual(after);
    expect(delta?.length).toBe(gitDeltaSize(before, after));
  });

  it("stops when a delta would exceed the limit", () => {
    expect(createDelta(noise(1, 500), noise(2, 500), 100)).toBeNull();
  });
});
