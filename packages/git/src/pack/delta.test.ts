/** Deltas: created as git does, applied exactly, refused if malformed. */
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { GitError } from "../errors.ts";
import { createDelta } from "./create-delta.ts";
import { applyDelta, deltaSizes } from "./delta.ts";
import { applyDeltaStream } from "./delta-chain-stream.ts";

const root = mkdtempSync(join(tmpdir(), "delta-"));
afterAll(() => rmSync(root, { recursive: true }));

const edited = fc
  .tuple(
    fc.uint8Array({ minLength: 40, maxLength: 3000 }),
    fc.array(fc.tuple(fc.nat(), fc.nat(200), fc.uint8Array({ maxLength: 200 })), { maxLength: 6 }),
  )
  .map(([source, edits]) => {
    let target = Buffer.from(source);
    for (const [at, cut, insert] of edits) {
      const from = at % (target.length + 1);
      target = Buffer.concat([target.subarray(0, from), insert, target.subarray(from + cut)]);
    }
    return { source, target: new Uint8Array(target) };
  });

describe("createDelta", () => {
  it("makes a delta that gives the target, whole or streamed", async () => {
    await fc.assert(
      fc.asyncProperty(edited, async ({ source, target }) => {
        const delta = createDelta(source, target);
        if (target.length === 0) {
          expect(delta).toBeNull();
          return;
        }
        expect(Buffer.compare(applyDelta(source, delta as Uint8Array), target)).toBe(0);
        expect(deltaSizes(delta as Uint8Array)).toMatchObject({ baseSize: source.length, resultSize: target.length });
        const parts: Uint8Array[] = [];
        const read = async (start: number, length: number) => source.slice(start, start + length);
        for await (const part of applyDeltaStream(bytewise(delta as Uint8Array), read, source.length)) parts.push(part);
        expect(Buffer.compare(Buffer.concat(parts), target)).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it("makes the delta that git prints in a binary patch", () => {
    let compared = 0;
    for (let i = 0; i < 12; i++) {
      const before = randomBytes(2000 + i * 1500);
      const middle = i * 150;
      const after = Buffer.concat([before.subarray(0, middle), randomBytes(40), before.subarray(middle + i * 13)]);
      before[1] = after[1] = 0;
      writeFileSync(join(root, "a"), before);
      writeFileSync(join(root, "b"), after);
      const printed = spawnSync("git", ["diff", "--no-index", "--binary", "a", "b"], { cwd: root }).stdout.toString();
      const half = (printed.split("GIT binary patch\n")[1] as string).split("\n");
      if (!half[0]?.startsWith("delta ")) continue;
      compared++;
      expect(Buffer.compare(createDelta(before, after) as Uint8Array, inflateSync(decode85(half.slice(1))))).toBe(0);
    }
    expect(compared).toBeGreaterThan(8);
    execFileSync("git", ["--version"]);
  });

  it("returns null beyond a size", () => {
    expect(createDelta(randomBytes(1000), randomBytes(1000), 500)).toBeNull();
  });
});

describe("applyDelta", () => {
  it("answers a broken delta with an error or with bytes, never with a crash", () => {
    fc.assert(
      fc.property(
        edited,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
        ({ source, target }, changes) => {
          const delta = createDelta(source, target)?.slice() ?? new Uint8Array(0);
          for (const [at, byte] of changes) delta[at % Math.max(1, delta.length)] = byte;
          if (delta.length > 8 && deltaSizesOrNull(delta) !== null && (deltaSizesOrNull(delta) as number) > 1 << 20)
            return;
          try {
            applyDelta(source, delta);
          } catch (error) {
            expect(error).toBeInstanceOf(GitError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

function deltaSizesOrNull(delta: Uint8Array): number | null {
  try {
    return deltaSizes(delta).resultSize;
  } catch {
    return null;
  }
}

async function* bytewise(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/** Lines up to the first empty one. */
function decode85(lines: readonly string[]): Uint8Array {
  const bytes: number[] = [];
  for (const line of lines) {
    if (line === "") break;
    const first = line.charCodeAt(0);
    const group: number[] = [];
    for (let at = 1; at < line.length; at += 5) {
      let value = 0;
      for (let i = 0; i < 5; i++) value = value * 85 + DIGITS.indexOf(line[at + i] as string);
      group.push((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
    }
    bytes.push(...group.slice(0, first >= 97 ? first - 96 + 26 : first - 64));
  }
  return Uint8Array.from(bytes);
}
