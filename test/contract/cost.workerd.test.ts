/** What each operation costs, exactly: in a workspace of a few thousand files, with the parent directory warm. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import {
  createFileSystem,
  createHistory,
  createPastView,
  createSnapshots,
  type FileSystem,
  openVolume,
  type StorePolicy,
  type WriteView,
} from "@workspace/vfs";
import { beforeAll, describe, expect, it } from "vitest";
import { type Cost, Counter } from "../support/workerd/counting-storage.ts";

const FILES = 3000;
const DEPTH_4 = "/workspace/src/lib/deep";
const stub = env.BARE.getByName("cost");

function inObject<T>(body: (fs: FileSystem, counter: Counter, volume: WriteView) => Promise<T>): Promise<T> {
  return runInDurableObject(stub, async (_object, state) => {
    const counter = new Counter(state.storage);
    const volume = openVolume(state.storage);
    const fs = createFileSystem(volume, { actor: "test", callId: "call-1" });
    // The incarnation's first write records its epoch; costs are those of every later one.
    await fs.writeFile("/workspace/warm-up", "x");
    return body(fs, counter, volume);
  });
}

beforeAll(async () => {
  await inObject(async (fs) => {
    const entries = Array.from({ length: FILES }, (_, i) => ({
      path: `/workspace/d${i % 100}/s${i % 7}/f${i}.ts`,
      content: `file ${i}`,
    }));
    await fs.writeMany(entries);
    await fs.mkdir(DEPTH_4, { recursive: true });
    await fs.writeMany(
      Array.from({ length: 50 }, (_, i) => ({ path: `${DEPTH_4}/sibling${i}.ts`, content: `sibling ${i}` })),
    );
  });
});

describe("what it costs", () => {
  const text = "x".repeat(3000);
  const path = `${DEPTH_4}/new.ts`;

  it("writeFile creates a 3 KB file in 4 statements and 5 rows", async () => {
    const cost = await inObject(async (fs, counter) => {
      await fs.readdir(DEPTH_4);
      return counter.of(() => fs.writeFile(path, text));
    });
    expect(cost).toEqual({ statements: 4, rowsRead: expect.any(Number), rowsWritten: 5 } satisfies Cost);
  });

  it("writeFile overwrites it in 3 statements and 3 rows", async () => {
    const cost = await inObject((fs, counter) => counter.of(() => fs.writeFile(path, `${text}!`)));
    expect(cost).toMatchObject({ statements: 3, rowsWritten: 3 });
  });

  it("appendFile adds to it in 3 statements and 3 rows", async () => {
    const cost = await inObject((fs, counter) => counter.of(() => fs.appendFile(path, "more")));
    expect(cost).toMatchObject({ statements: 3, rowsWritten: 3 });
  });

  it("readFile reads it in 1 statement and 1 row", async () => {
    const cost = await inObject(async (fs, counter) => {
      await fs.stat(path);
      return counter.of(() => fs.readFile(path, "utf8"));
    });
    expect(cost).toEqual({ statements: 1, rowsRead: 1, rowsWritten: 0 });
  });

  it("readRange reads a part of a large file in 1 statement, and 1 more the first time and after a change", async () => {
    const costs = await inObject(async (fs, counter) => {
      const large = `${DEPTH_4}/large.bin`;
      const part = (at: number) => counter.of(async () => expect((await fs.readRange(large, at, 1)).join()).toBe("7"));
      await fs.writeFile(large, new Uint8Array(3_000_000).fill(7));
      const fresh = [await part(0), await part(2_000_000), await part(2_999_999)];
      await fs.appendFile(large, new Uint8Array(10).fill(7));
      return [...fresh, await part(3_000_009), await part(1)];
    });
    expect(costs.map(({ statements }) => statements)).toEqual([2, 1, 1, 2, 1]);
  });

  it("stat, lstat, exists, access, realpath and readdir of a warm directory run no SQL", async () => {
    const cost = await inObject(async (fs, counter) => {
      await fs.readdir(DEPTH_4);
      return counter.of(async () => {
        await fs.stat(path);
        await fs.lstat(path);
        await fs.exists(`${DEPTH_4}/missing`);
        await fs.access(path);
        await fs.realpath(path);
        await fs.readdir(DEPTH_4);
        await fs.readdir(DEPTH_4, { withFileTypes: true });
        await fs.scan(DEPTH_4);
      });
    });
    expect(cost).toEqual({ statements: 0, rowsRead: 0, rowsWritten: 0 });
  });

  it("stat of a cold path at depth 4 is 1 statement that reads at most 10 rows", async () => {
    await evictDurableObject(stub);
    const cost = await runInDurableObject(stub, async (_object, state) => {
      const counter = new Counter(state.storage);
      const fs = createFileSystem(openVolume(state.storage));
      await fs.stat("/");
      return counter.of(() => fs.stat("/workspace/d1/s1/f1.ts"));
    });
    expect(cost).toEqual({ statements: 1, rowsRead: 8, rowsWritten: 0 });
  });

  it("mkdir makes 4 levels in 3 statements and 13 rows", async () => {
    const cost = await inObject(async (fs, counter) => {
      await fs.readdir("/workspace");
      return counter.of(() => fs.mkdir("/workspace/one/two/three/four", { recursive: true }));
    });
    expect(cost).toMatchObject({ statements: 3, rowsWritten: 13 });
  });

  it("writeFile creates a 1 MB file in 4 statements and 5 rows", async () => {
    for (const size of [1_000_000, 1024 * 1024]) {
      const cost = await inObject(async (fs, counter) => {
        await fs.readdir(DEPTH_4);
        return counter.of(() => fs.writeFile(`${DEPTH_4}/big-${size}`, new Uint8Array(size)));
      });
      expect(cost).toMatchObject({ statements: 4, rowsWritten: 5 });
    }
  });

  it("rename moves a directory of any size in 3 statements and 5 rows", async () => {
    for (const [from, to] of [
      ["/workspace/d1", "/workspace/src/moved-small"],
      ["/workspace/src", "/workspace/one/moved-large"],
      ["/workspace/d2", "/workspace/d2-renamed"],
    ] as const) {
      const cost = await inObject(async (fs, counter) => {
        await fs.readdir("/workspace");
        await fs.readdir(to.slice(0, to.lastIndexOf("/")));
        return counter.of(() => fs.rename(from, to));
      });
      expect(cost.statements).toBe(3);
      expect(cost.rowsWritten).toBeLessThanOrEqual(5);
    }
  });

  it("rm removes a tree of any size in 3 statements and 4 rows", async () => {
    for (const path of ["/workspace/d3", "/workspace/one"]) {
      const cost = await inObject(async (fs, counter) => {
        await fs.readdir("/workspace");
        return counter.of(() => fs.rm(path, { recursive: true }));
      });
      expect(cost).toMatchObject({ statements: 3, rowsWritten: 4 });
    }
  });

  it("writeMany and rm stay within production's limits with the longest names and paths there are", async () => {
    const name = "名".repeat(85);
    const directory = `/workspace/${Array(14).fill(name).join("/")}`;
    const cost = await inObject(async (fs, counter) => {
      // The counter refuses a value over 2 MB and more than 100 parameters.
      const entries = Array.from({ length: 1500 }, (_, i) => ({
        path: `${directory}/${i}${"长".repeat(80)}`,
        content: "x",
      }));
      return counter.of(async () => {
        await fs.writeMany(entries);
        await fs.cp(directory, "/workspace/copied", { recursive: true });
      });
    });
    expect(cost.statements).toBeLessThanOrEqual(1500 / 10 + 10);
  });

  it.each([10, 100, 1000, 5000])("writeMany writes %i small files in at most n/10 + 10 statements", async (n) => {
    const cost = await inObject(async (fs, counter) => {
      const entries = Array.from({ length: n }, (_, i) => ({
        path: `/workspace/bulk${n}/d${i % 20}/f${i}`,
        content: `content ${i}`,
      }));
      return counter.of(() => fs.writeMany(entries));
    });
    expect(cost.statements).toBeLessThanOrEqual(n / 10 + 10);
  });
});

describe("what history costs", () => {
  it("a snapshot is 1 statement and 1 row", async () => {
    const cost = await inObject((_fs, counter, volume) => counter.of(() => createSnapshots(volume).create("before")));
    expect(cost).toEqual({ statements: 1, rowsRead: expect.any(Number), rowsWritten: 1 });
  });

  it("undo of one edit is 6 statements and 3 rows", async () => {
    const cost = await inObject(async (_fs, counter, volume) => {
      await createFileSystem(volume, { callId: "one edit" }).writeFile("/workspace/d4/s4/f4.ts", "edited");
      return counter.of(() => createHistory(volume).undo({ callId: "one edit" }));
    });
    expect(cost).toMatchObject({ statements: 6, rowsWritten: 3 });
  });

  it("undo of a new file with changes of others after it is 7 statements, one of which looks for stores", async () => {
    const stores: StorePolicy = {
      directory: "objects",
      beside: ["HEAD", "refs"],
      file: /^[0-9a-f]{38}$/,
      lists: [],
      packed: { from: "refs", into: "packed-refs" },
    };
    const cost = await inObject(async (fs, counter, volume) => {
      await createFileSystem(volume, { callId: "an edit before others" }).writeFile("/workspace/d4/s4/f8.ts", "edited");
      await fs.writeFile("/workspace/d4/s4/f9.ts", "theirs");
      return counter.of(() => createHistory(volume, {}, stores).undo({ callId: "an edit before others" }));
    });
    expect(cost.statements).toBe(7);
    // The fifth puts the directory's time back; in one moment of the clock that time has not changed.
    expect([4, 5]).toContain(cost.rowsWritten);
  });

  it.each([1, 2, 10, 100, 1000])("undo of a call that touched %i files is at most n/5 + 10 statements", async (n) => {
    const cost = await inObject(async (fs, counter, volume) => {
      const at = (i: number) => `/workspace/undo${n}/d${i % 23}/f${i}`;
      await fs.writeMany(Array.from({ length: n }, (_, i) => ({ path: at(i), content: `before ${i}` })));
      await fs.link(at(0), `${at(0)} linked`);
      const call = createFileSystem(volume, { callId: `undo ${n}` });
      // Of every five files two are edited, one is removed, one moved, and one gets another mode.
      for (let i = 0; i < n; i++) {
        if (i % 5 < 2) await call.writeFile(at(i), `after ${i}`);
        else if (i % 5 === 2) await call.rm(at(i));
        else if (i % 5 === 3) await call.rename(at(i), `${at(i)} moved`);
        else await call.chmod(at(i), 0o755);
      }
      await call.unlink(`${at(0)} linked`);
      await call.writeMany(
        Array.from({ length: n }, (_, i) => ({ path: `/workspace/made${n}/d${i % 7}/f${i}`, content: "" })),
      );
      volume.store.invalidateCaches();
      // The first write after a drop records an epoch; the first verb reads the counters.
      await fs.writeFile("/workspace/warm-up", "y");
      const undone = await counter.of(() => createHistory(volume).undo({ callId: `undo ${n}` }));
      expect(await fs.readFile(at(0), "utf8")).toBe("before 0");
      expect(await fs.exists(`/workspace/made${n}`)).toBe(false);
      return undone;
    });
    expect(cost.statements).toBeLessThanOrEqual(n / 5 + 10);
  });

  it("restore of 500 changed files costs what was changed, not what there is", async () => {
    const cost = await inObject(async (fs, counter, volume) => {
      const { id } = await createSnapshots(volume).create();
      await fs.writeMany(
        Array.from({ length: 500 }, (_, i) => ({ path: `/workspace/bulk5000/d${i % 20}/f${i}`, content: "changed" })),
      );
      return counter.of(() => createSnapshots(volume).restore(id));
    });
    expect(cost.statements).toBeLessThanOrEqual(20);
    // An inode, an entry and an owner more of each content; twenty directories are not touched by a write.
    expect(cost.rowsWritten).toBeLessThanOrEqual(500 * 3 + 10);
    expect(cost.rowsRead).toBeLessThan(500 * 20);
  });

  it("a file as it was is read in 1 statement where its directory is warm", async () => {
    const cost = await inObject(async (fs, counter, volume) => {
      const path = "/workspace/d5/s5/f5.ts";
      const { id } = await createSnapshots(volume).create();
      await fs.writeFile(path, "changed");
      const past = createPastView(volume, id).fs;
      const first = await counter.of(() => past.readFile(path));
      expect(first.statements).toBeLessThanOrEqual(12);
      return counter.of(() => past.readFile(path));
    });
    expect(cost).toEqual({ statements: 1, rowsRead: 1, rowsWritten: 0 });
  });
});
