/** Ref parsers on malformed input, ref names compared with git, and locks with and without an epoch. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { createConfig } from "../config/create-config.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { defaultGitLimits } from "../limits.ts";
import type { Oid } from "../object/oid.ts";
import { openRefStore } from "./open-ref-store.ts";
import { formatPackedRefs, parsePackedRefs } from "./packed-refs.ts";
import { parseLooseRef } from "./ref-files.ts";
import { isRefName } from "./ref-name.ts";
import { formatReflogEntry, parseReflog } from "./reflog-file.ts";

const fs = createNodeFileSystem();
const who = { name: "C", email: "c@c", seconds: 1_700_000_000, zone: "+0000" };
const oid = "a".repeat(40) as Oid;
let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "refs-")));
  execFileSync("git", ["init", "-q", root]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const store = (host: Partial<GitHost> = {}) =>
  openRefStore({
    host: { fs, now: () => 0, ...host },
    limits: defaultGitLimits,
    gitDir: `${root}/.git`,
    config: createConfig([]),
    bare: false,
  });

describe("isRefName", () => {
  it("agrees with git check-ref-format", () => {
    const letter = fc.constantFrom("a", "/", ".", "@", "{", "*", "~", "-", ".lock", " ", "\\", "ü", "refs/");
    const names = fc.sample(
      fc.array(letter, { minLength: 1, maxLength: 6 }).map((letters) => letters.join("")),
      { numRuns: 60, seed: 3 },
    );
    for (const name of names) {
      const { status } = spawnSync("git", ["check-ref-format", name]);
      if (!name.startsWith("-")) expect(`${name} ${isRefName(name)}`).toBe(`${name} ${status === 0}`);
    }
  });
});

describe("parsePackedRefs", () => {
  it("keeps what it formats", () => {
    const refs = [
      { name: "refs/heads/a", oid },
      { name: "refs/tags/t", oid, peeled: "b".repeat(40) as Oid },
    ];
    const text = formatPackedRefs(refs);
    expect(parsePackedRefs(text, "packed-refs").refs).toEqual(refs);
    expect(parsePackedRefs(text, "packed-refs").fullyPeeled).toBe(true);
  });

  it("answers nonsense with an error of its own", () => {
    const line = fc.constantFrom(
      `${oid} refs/heads/a`,
      `^${oid}`,
      "# pack-refs with: sorted",
      "",
      "x",
      `${oid} ../x`,
      `${oid}refs`,
      oid,
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 6 }), fc.boolean(), (lines, ended) => {
        try {
          parsePackedRefs(lines.join("\n") + (ended ? "\n" : ""), "packed-refs");
        } catch (error) {
          expect(error).toBeInstanceOf(GitError);
        }
      }),
    );
  });
});

describe("parseLooseRef and parseReflog", () => {
  it("take any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        parseLooseRef(text);
        parseReflog(text);
      }),
    );
    const entry = { from: oid, to: oid, who, message: "a b" };
    expect(parseReflog(formatReflogEntry({ ...entry, message: " a\n\tb " }))).toEqual([entry]);
  });
});

describe("locks", () => {
  it("without an epoch stay, and the error is git's", async () => {
    writeFileSync(`${root}/.git/refs/heads/x.lock`, "");
    const update = store().update([{ name: "refs/heads/x", to: oid }], who);
    await expect(update).rejects.toThrow(
      `cannot lock ref 'refs/heads/x': Unable to create '${root}/.git/refs/heads/x.lock': File exists.`,
    );
    expect(existsSync(`${root}/.git/refs/heads/x.lock`)).toBe(true);
  });

  it("of another epoch are removed, of this one are respected, and git's own too", async () => {
    const lock = `${root}/.git/refs/heads/x.lock`;
    const refs = store({ epoch: "two" });
    writeFileSync(lock, "workspace-epoch one\n");
    await refs.update([{ name: "refs/heads/x", to: oid }], who);
    expect(readFileSync(`${root}/.git/refs/heads/x`, "utf8")).toBe(`${oid}\n`);
    expect(existsSync(lock)).toBe(false);
    for (const content of ["workspace-epoch two\n", "", `${oid}\n`]) {
      writeFileSync(lock, content);
      await expect(refs.update([{ name: "refs/heads/x", to: null }], who)).rejects.toMatchObject({ code: "ELOCKED" });
    }
  });

  it("are all released when one of several refs is refused, and nothing has changed", async () => {
    const refs = store();
    await refs.update([{ name: "refs/heads/a", to: oid }], who);
    const both = [
      { name: "refs/heads/b", to: oid },
      { name: "refs/heads/a", to: "b".repeat(40) as Oid, from: "c".repeat(40) as Oid },
    ];
    await expect(refs.update(both, who)).rejects.toThrow(
      `cannot lock ref 'refs/heads/a': is at ${oid} but expected ${"c".repeat(40)}`,
    );
    expect(await refs.list()).toEqual([{ name: "refs/heads/a", oid }]);
    expect(existsSync(`${root}/.git/refs/heads/b.lock`)).toBe(false);
    expect(existsSync(`${root}/.git/refs/heads/a.lock`)).toBe(false);
  });
});
