/**
 * The deflater compared with git's own zlib: the loose objects that git writes, byte for byte, at every
 * level.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashObject, objectHeader } from "../hash/hash-object.ts";
import { deflate } from "./deflate.ts";

const root = mkdtempSync(join(tmpdir(), "deflater-"));
const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, env: { PATH: process.env.PATH, HOME: root }, stdio: "pipe" });

const noise = randomBytes(70_000);
const words = readFileSync(new URL("./inflater.ts", import.meta.url).pathname);
const contents: readonly Uint8Array[] = [
  new Uint8Array(0),
  Buffer.from("a"),
  Buffer.from("hello, hello, hello\n"),
  Buffer.alloc(200_000, "x"),
  noise,
  words,
  Buffer.concat([words, noise, words, noise.subarray(100), words]),
  Buffer.from(Array.from({ length: 150_000 }, (_, i) => "abcdefgh".charCodeAt((i * i * 31) % 7))),
];

beforeAll(() => git("init", "-q"));
afterAll(() => rmSync(root, { recursive: true }));

describe("deflate", () => {
  it.each([-1, 1, 2, 3, 4, 5, 6, 7, 8, 9])("writes what git writes at level %i", (level) => {
    for (const content of contents) {
      const oid = hashObject("blob", content);
      const path = join(root, ".git/objects", oid.slice(0, 2), oid.slice(2));
      rmSync(path, { force: true });
      const args = ["-c", `core.looseCompression=${level}`, "hash-object", "-w", "--stdin"];
      execFileSync("git", args, {
        cwd: root,
        input: content,
        env: { PATH: process.env.PATH, HOME: root },
        stdio: "pipe",
      });
      const ours = deflate(Buffer.concat([objectHeader("blob", content.length), content]), level);
      expect(Buffer.compare(ours, readFileSync(path))).toBe(0);
    }
  });

  it("writes what any zlib reads", () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.tuple(fc.nat(255), fc.nat(3000)).map(([byte, times]) => new Uint8Array(times).fill(byte)),
      fc.nat(words.length).map((at) => new Uint8Array(words.subarray(at, at + 500))),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 0, max: 9 }), (pieces, level) => {
        const content = Buffer.concat([...pieces, ...pieces]);
        expect(Buffer.compare(inflateSync(deflate(content, level)), content)).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
