/** What the daemon skips because a directory or a piece says enough: names that come in the same tick, and hashes made in passing. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint, type ManifestEntry } from "./tree/manifest.ts";
import { RunningHash } from "./tree/running-hash.ts";
import { scanTree } from "./tree/scan.ts";
import { acknowledge, readBatch } from "./tree/take.ts";
import { Tree } from "./tree/tree.ts";

const REQUEST = { policy: { text: "", defaults: 0 }, maxEntries: 1000, maxBytes: 1e9, busy: false };

/** One scan, acknowledged completely; returns what it reported. */
async function sync(tree: Tree, request = REQUEST): Promise<string[]> {
  const { scan } = await scanTree(tree, request);
  readBatch(tree, scan, 0);
  acknowledge(
    tree,
    scan,
    scan.differences.map((_, index) => ({ index, version: "1.1", content: "1.1" })),
  );
  return scan.differences.map(({ taken }) => `${taken.op} ${taken.path}`);
}

async function inTree(body: (tree: Tree, root: string) => Promise<void>): Promise<void> {
  const base = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "workspace-tree-"));
  const root = join(base, "root");
  mkdirSync(root);
  const tree = new Tree(root, null);
  try {
    await body(tree, root);
  } finally {
    tree.close();
    rmSync(base, { recursive: true, force: true });
  }
}

describe("a scan", () => {
  it("scanTree sees every created or removed name, also right after the last scan, and with the directory's time set back", () =>
    inTree(async (tree, root) => {
      mkdirSync(join(root, "d/e"), { recursive: true });
      await sync(tree);
      for (let i = 0; i < 150; i++) {
        // At times long enough that what was read is trusted, mostly within the clock's tick.
        if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
        const directory = join(root, i % 2 === 0 ? "d" : "d/e");
        const { atime, mtime } = lstatSync(directory);
        if (i % 3 === 0) symlinkSync("x", join(directory, `l${i}`));
        else writeFileSync(join(directory, `f${i}`), "");
        if (i % 7 === 0) utimesSync(directory, atime, mtime);
        const path = `${i % 2 === 0 ? "d" : "d/e"}/${i % 3 === 0 ? "l" : "f"}${i}`;
        expect(await sync(tree)).toContain(`put ${path}`);
        if (i % 4 === 0) {
          rmSync(join(root, path));
          expect(await sync(tree)).toContain(`remove ${path}`);
        } else if (i % 5 === 0) {
          renameSync(join(root, path), join(root, `moved${i}`));
          expect(await sync(tree)).toEqual(expect.arrayContaining([`put moved${i}`, `remove ${path}`]));
        }
      }
      expect(await sync(tree)).toEqual([]);
    }));

  it("scanTree hashes a file whose change is too recent to be told apart by its times", () =>
    inTree(async (tree, root) => {
      writeFileSync(join(root, "f"), "before");
      expect(await sync(tree)).toEqual(["put f"]);
      const known = tree.manifest.get("f") as ManifestEntry;
      // Scanned within the clock tick of its change.
      expect(known.racy).toBe(true);
      // A kernel with a coarse clock would give this the same time: here it is given the same looks.
      writeFileSync(join(root, "f"), "after!");
      Object.assign(known, fingerprint(lstatSync(join(root, "f"))));
      expect(await sync(tree)).toEqual(["put f"]);
      await new Promise((resolve) => setTimeout(resolve, 30));
      await sync(tree);
      // Long enough ago: its looks say enough, and are all that is compared.
      expect(tree.manifest.get("f")?.racy).toBe(false);
      writeFileSync(join(root, "f"), "never!");
      Object.assign(tree.manifest.get("f") as ManifestEntry, fingerprint(lstatSync(join(root, "f"))));
      expect(await sync(tree)).toEqual([]);
    }));

  it("scanTree lists no unchanged directory, and still sees written files", () =>
    inTree(async (tree, root) => {
      for (let d = 0; d < 20; d++) {
        mkdirSync(join(root, `d${d}`));
        writeFileSync(join(root, `d${d}/f`), "1");
      }
      await sync(tree);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await sync(tree);
      let read = 0;
      const { listings } = tree;
      const before = listings.read.bind(listings);
      listings.read = (...args) => {
        read++;
        return before(...args);
      };
      writeFileSync(join(root, "d7/f"), "2");
      expect([await sync(tree), read]).toEqual([["put d7/f"], 0]);
      rmSync(join(root, "d3/f"));
      expect([await sync(tree), read]).toEqual([["remove d3/f"], 1]);
      expect(readdirSync(join(root, "d3"))).toEqual([]);
    }));
});

describe("a scan of a directory that is swapped for a link in the middle", () => {
  it("scanTree reports no link, directory or bytes from outside, and no removal", () =>
    inTree(async (tree, root) => {
      const outside = join(root, "../outside");
      for (const [at, target, mode, text] of [
        [join(root, "d"), "inside", 0o755, "its own bytes"],
        [outside, "never reported", 0o711, "foreign bytes"],
      ] as const) {
        mkdirSync(join(at, "sub"), { recursive: true });
        chmodSync(join(at, "sub"), mode);
        symlinkSync(target, join(at, "link"));
        writeFileSync(join(at, "seed"), text);
      }
      await sync(tree);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await sync(tree)).toEqual([]);
      const { listings } = tree;
      const find = listings.find.bind(listings);
      // The scan has its stat, and lists its entries next.
      listings.find = (prefix, stat) => {
        if (prefix === "d/") {
          renameSync(join(root, "d"), join(root, "../elsewhere"));
          symlinkSync(outside, join(root, "d"));
        }
        return find(prefix, stat);
      };
      const { scan } = await scanTree(tree, REQUEST);
      const { entries, body } = readBatch(tree, scan, 0);
      expect(entries.map(({ op, path, moving }) => ({ op, path, moving }))).toEqual([
        { op: "put", path: "d/seed", moving: true },
      ]);
      expect(body).toEqual([]);
      listings.find = find;
      const after = ["put d", "remove d", "remove d/link", "remove d/seed", "remove d/sub"];
      expect((await sync(tree)).toSorted()).toEqual(after);
    }));
});

describe("a hash made in passing", () => {
  it("RunningHash equals the file's hash for any order of pieces, and is absent before the last", () => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));
    const expected = createHash("sha256").update(bytes).digest("hex");
    const read = (position: number, length: number) => bytes.subarray(position, position + length);
    for (const order of [
      [0, 1, 2, 3],
      [3, 0, 1, 2],
      [1, 0, 3, 2],
      [0, 0, 2, 1, 3, 3],
    ]) {
      const hash = new RunningHash(bytes.length);
      for (const [i, piece] of order.entries()) {
        if (i < order.length - 1 && !order.slice(0, i).includes(3)) expect(hash.hex).toBeNull();
        hash.add(250 * piece, read(250 * piece, 250), read);
      }
      expect(hash.hex).toBe(expected);
    }
  });
});

describe("a directory that a default rule names", () => {
  const request = { ...REQUEST, policy: { text: "node_modules/\n", defaults: 1 } };
  const FILES = 50_000;

  it("scanTree does not stat the 50,000 files that commands created in it", { timeout: 120_000 }, () =>
    inTree(async (tree, root) => {
      const at = (path: string) => join(root, path);
      const looks = async () => (await scanTree(tree, request)).looks;
      const git = (...argv: string[]) => execFileSync("git", ["-C", root, ...argv], { stdio: "ignore" });
      git("init");
      mkdirSync(at("node_modules/held"), { recursive: true });
      writeFileSync(at("node_modules/held/tracked"), "");
      writeFileSync(at("gone"), "gone");
      git("add", "-f", "node_modules/held/tracked");
      const synced = await sync(tree, request);
      expect(synced).toContain("put node_modules/held/tracked");
      const entries = synced.length;
      for (let i = 0; i < FILES; i++) {
        if (i % 100 === 0) mkdirSync(at(`node_modules/p${i / 100}`));
        writeFileSync(at(i % 2 === 0 ? `node_modules/p${Math.floor(i / 100)}/${i}` : `node_modules/held/${i}`), "");
      }
      expect(await looks()).toBeLessThanOrEqual(entries);
      expect(await looks()).toBeLessThanOrEqual(entries);
      // Git is asked again; the tree is not.
      writeFileSync(at("node_modules/held/1"), "now tracked");
      git("add", "-f", "node_modules/held/1");
      expect((await sync(tree, request)).filter((reported) => !reported.includes(".git"))).toEqual([
        "put node_modules/held/1",
      ]);
      expect(await looks()).toBeLessThan(entries + 20);
      // What is missing may have been moved there: the search for it has an end.
      rmSync(at("gone"));
      expect(await looks()).toBeLessThan(entries + 20 + 5000);
      expect(await sync(tree, request)).toEqual(["remove gone"]);
    }),
  );
});
