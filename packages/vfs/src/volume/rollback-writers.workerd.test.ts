/**
 * Writers in progress when a transaction around some of their bytes rolls back. Each of them then fails with EIO and changes
 * nothing, or stores every byte: never a file with missing bytes.
 */

import { type Inside, inObject } from "@workspace/testing/in-object";
import { ENDINGS, Regret } from "@workspace/testing/rollbacks";
import { describe, expect, it } from "vitest";
import { createFileSystem, type FileHandle, type FileSystem, fsck, gc } from "../index.ts";

const MIB = 1024 * 1024;
const PATH = "/workspace/f";

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await null;
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 2));

/** A stream whose chunks are handed out one by one, by `next`; ends after the last. */
function stepwise(sizes: readonly number[]) {
  let release = () => {};
  let gate = new Promise<void>((resolve) => (release = resolve));
  async function* source(): AsyncGenerator<Uint8Array> {
    for (const [i, size] of sizes.entries()) {
      await gate;
      gate = new Promise<void>((resolve) => (release = resolve));
      yield new Uint8Array(size).fill(i + 1);
    }
    await gate;
  }
  const next = async () => {
    release();
    await settled();
  };
  return { source: source(), next, release: () => release() };
}

function whole(sizes: readonly number[], head = 0): Uint8Array {
  const bytes = new Uint8Array(head + sizes.reduce((sum, size) => sum + size, 0));
  let at = head;
  for (const [i, size] of sizes.entries()) bytes.fill(i + 1, at, (at += size));
  return bytes;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at === a.length && at === b.length;
}

const STREAMERS: Record<
  string,
  { head: number; write: (fs: FileSystem, source: AsyncIterable<Uint8Array>) => Promise<unknown> }
> = {
  writeFile: { head: 0, write: (fs, source) => fs.writeFile(PATH, source) },
  appendFile: { head: 4, write: (fs, source) => fs.appendFile(PATH, source) },
  writeMany: { head: 0, write: (fs, source) => fs.writeMany([{ path: PATH, content: source as never }]) },
};

const outcomeOf = (writing: Promise<unknown>) =>
  writing.then(
    () => "stored",
    (error: { code?: string }) => error.code ?? String(error),
  );

/** Nothing is left of a writer that has settled, and the workspace is sound. */
async function expectSound(inside: Inside): Promise<void> {
  expect((await fsck(inside.volume)).problems).toEqual([]);
  await gc(inside.volume);
  expect(inside.storage.sql.exec("SELECT count(*) AS n FROM ws_spool").one().n).toBe(0);
  expect((await fsck(inside.volume)).problems).toEqual([]);
}

/** Sizes of chunks: below a row, over a row, over a block of rows. */
const SIZES: Record<string, number> = { "100 KB": 100_000, "1.5 MB": 1_500_000, "9 MB": 9_000_000 };

describe.each(Object.entries(STREAMERS))("%s of a stream", (_verb, { head, write }) => {
  describe.each(Object.entries(ENDINGS))("around a transaction that %s", (ending, run) => {
    it.each(Object.entries(SIZES))("stores every byte or fails, with chunks of %s", async (_, size) => {
      for (const [before, during, after] of [
        [0, 1, 1],
        [1, 1, 0],
        [1, 1, 1],
        [1, 2, 0],
        [2, 0, 1],
      ] as const) {
        await inObject(async (inside) => {
          const { fs } = inside;
          await fs.writeFile(PATH, new Uint8Array(head));
          const sizes = Array<number>(before + during + after).fill(size);
          const { source, next } = stepwise(sizes);
          const writing = outcomeOf(write(fs, source));
          for (let i = 0; i < before; i++) await next();
          await run(inside, async () => {
            for (let i = 0; i < during; i++) await next();
          });
          for (let i = 0; i < after; i++) await next();
          await next();
          const outcome = await writing;
          expect(ending === "commits" || during === 0 ? ["stored"] : ["stored", "EIO"]).toContain(outcome);
          const expected = outcome === "stored" ? whole(sizes, head) : new Uint8Array(head);
          expect([outcome, same(await fs.readFile(PATH), expected)]).toEqual([outcome, true]);
          await expectSound(inside);
        });
      }
    });
  });
});

describe("a writer", () => {
  it("that goes on while the transaction ends stores every byte or fails, whenever its turn comes", async () => {
    for (let delay = 0; delay < 24; delay++) {
      await inObject(async (inside) => {
        const { fs, storage } = inside;
        let resume = () => {};
        const gate = new Promise<void>((resolve) => (resume = resolve));
        async function* source() {
          yield new Uint8Array(1_500_000).fill(1);
          await gate;
          await turns(delay);
          yield new Uint8Array(1_500_000).fill(2);
        }
        const writing = outcomeOf(fs.writeFile(PATH, source()));
        await settled();
        await storage
          .transaction(async () => {
            await fs.writeFile("/workspace/other", new Uint8Array(2 * MIB));
            resume();
            throw new Regret();
          })
          .catch(() => {});
        const outcome = await writing;
        expect(["stored", "EIO"]).toContain(outcome);
        if (outcome === "stored" && (await fs.exists(PATH)))
          expect(same(await fs.readFile(PATH), whole([1_500_000, 1_500_000]))).toBe(true);
        expect(await fs.exists("/workspace/other")).toBe(false);
        await expectSound(inside);
      });
    }
  });

  it("whose rows were rolled back does not take rows that another writer reserved since", async () => {
    await inObject(async (inside) => {
      const { fs, storage } = inside;
      const sizes = [1_500_000, 1_500_000];
      const lost = stepwise(sizes);
      let losing: Promise<string> = Promise.resolve("");
      await storage
        .transaction(async () => {
          losing = outcomeOf(fs.writeFile("/workspace/lost", lost.source));
          await lost.next();
          throw new Regret();
        })
        .catch(() => {});
      const other = stepwise(sizes);
      const writing = outcomeOf(fs.writeFile(PATH, other.source));
      await other.next();
      await lost.next();
      await lost.next();
      expect(await losing).toBe("EIO");
      await other.next();
      await other.next();
      expect(await writing).toBe("stored");
      expect(same(await fs.readFile(PATH), whole(sizes))).toBe(true);
      expect(await fs.exists("/workspace/lost")).toBe(false);
      await expectSound(inside);
    });
  });

  it("sees what is there after rollback(), within the same transaction", async () => {
    await inObject(async (inside) => {
      const { fs, storage } = inside;
      await fs.writeFile(PATH, "before");
      await storage.transaction(async (txn) => {
        await fs.writeFile(PATH, "inside");
        await fs.writeFile("/workspace/new", "new");
        txn.rollback();
        expect(await fs.readFile(PATH, "utf8")).toBe("before");
        expect(await fs.exists("/workspace/new")).toBe(false);
        await fs.writeFile("/workspace/after", "after");
      });
      expect(await fs.readFile("/workspace/after", "utf8")).toBe("after");
      await expectSound(inside);
    });
  });
});

describe("FileHandle", () => {
  const HANDLE_ENDINGS: typeof ENDINGS = {
    ...ENDINGS,
    "is synchronous and throws": async ({ storage }, body) => {
      let writing: Promise<void> = Promise.resolve();
      expect(() =>
        storage.transactionSync(() => {
          // What a handle gathers is in the database before the first await.
          writing = body();
          throw new Regret();
        }),
      ).toThrow(Regret);
      await writing.catch(() => {});
    },
  };

  it.each(Object.entries(HANDLE_ENDINGS))(
    "writes around a transaction that %s are stored whole, or close fails",
    async (ending, run) => {
      for (const size of [1000, 900_000, 1_500_000, 9_000_000]) {
        for (const flag of ["w", "r+", "a"]) {
          await inObject(async (inside) => {
            const { fs } = inside;
            await fs.writeFile(PATH, new Uint8Array(10));
            const handle = await fs.open(PATH, flag);
            const head = flag === "a" ? 10 : 0;
            await handle.write(new Uint8Array(size).fill(1));
            await run(inside, async () => void (await handle.write(new Uint8Array(size).fill(2))));
            const rest = await outcomeOf(handle.write(new Uint8Array(size).fill(3)).then(() => handle.sync()));
            const closing = await outcomeOf(handle.close());
            if (ending === "commits") expect([rest, closing]).toEqual(["stored", "stored"]);
            if (closing === "stored") {
              expect(rest).toBe("stored");
              expect(same(await fs.readFile(PATH), whole([size, size, size], head))).toBe(true);
            } else {
              expect([rest, closing]).toEqual(["EIO", "EIO"]);
              expect((await fs.stat(PATH)).size).toBe(10);
            }
            await expectSound(inside);
          });
        }
      }
    },
  );

  it("reads of bytes that were rolled back fail instead of returning other bytes", async () => {
    await inObject(async (inside) => {
      const { fs, storage } = inside;
      const handle = await fs.open(PATH, "w+");
      await storage
        .transaction(async () => {
          await handle.write(new Uint8Array(3 * MIB).fill(1));
          throw new Regret();
        })
        .catch(() => {});
      await fs.writeFile("/workspace/other", new Uint8Array(3 * MIB).fill(2));
      await expect(handle.read(new Uint8Array(100), 0, 100, 0)).rejects.toMatchObject({ code: "EIO" });
      (handle as FileHandle & Disposable)[Symbol.dispose]();
      expect((await fs.readFile("/workspace/other")).every((byte) => byte === 2)).toBe(true);
      await expectSound(inside);
    });
  });
});

describe("stage", () => {
  it("contents whose rows a rollback took are refused, and those of the next to stage are not touched", async () => {
    await inObject(async (inside) => {
      const { volume, storage } = inside;
      const fs = createFileSystem(volume);
      const bytes = (n: number) => [new Uint8Array(5000).fill(n), new Uint8Array(6000).fill(n)];
      let lost: Awaited<ReturnType<typeof fs.stage>> | undefined;
      await storage
        .transaction(async () => {
          lost = await fs.stage(bytes(1));
          throw new Regret();
        })
        .catch(() => {});
      const retained = await fs.stage(bytes(2));
      const entry = (contents: typeof retained, index: number) => ({
        path: PATH,
        type: "staged" as const,
        contents,
        index,
      });
      await expect(fs.writeMany([entry(lost as typeof retained, 0)])).rejects.toMatchObject({ code: "EIO" });
      lost?.[Symbol.dispose]();
      await fs.writeMany([entry(retained, 1)]);
      expect(same(await fs.readFile(PATH), new Uint8Array(6000).fill(2))).toBe(true);
      retained[Symbol.dispose]();
      await expectSound(inside);
    });
  });
});
