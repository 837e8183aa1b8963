/** Several ways to open one database: two workspaces over it work as one, or report why not; none of them ever corrupts it. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const W = "/workspace";
let created = 0;
const inside = <T>(body: (storage: DurableObjectStorage) => Promise<T>) =>
  runInDurableObject(env.BARE.getByName(`two ${created++}`), (_, { storage }) => body(storage));

function bound<T extends object>(target: T, wrap: (value: object) => object = (value) => value): T {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value === "function") return value.bind(target);
      return typeof value === "object" && value !== null ? wrap(value) : value;
    },
  });
}

/** Hands on what a workspace uses, and nothing more. */
class Forwarding {
  readonly sql: SqlStorage;
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage, sql: SqlStorage) {
    this.#storage = storage;
    this.sql = sql;
  }

  transactionSync<T>(body: () => T): T {
    return this.#storage.transactionSync(body);
  }

  transaction<T>(body: (txn: DurableObjectTransaction) => Promise<T>): Promise<T> {
    return this.#storage.transaction(body);
  }

  deleteAll(): Promise<void> {
    return this.#storage.deleteAll();
  }

  sync(): Promise<void> {
    return this.#storage.sync();
  }
}

class ForwardingSql {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  exec(text: string, ...values: SqlStorageValue[]) {
    return this.#sql.exec(text, ...values);
  }

  get databaseSize(): number {
    return this.#sql.databaseSize;
  }
}

const forwarding = (storage: DurableObjectStorage, sql: unknown) =>
  new Forwarding(storage, sql as SqlStorage) as unknown as DurableObjectStorage;

const ways: [name: string, (storage: DurableObjectStorage) => DurableObjectStorage][] = [
  ["the storage itself", (storage) => storage],
  ["a Proxy of it", (storage) => bound(storage)],
  ["a Proxy of a Proxy", (storage) => bound(bound(storage))],
  ["a Proxy that wraps sql too", (storage) => bound(storage, (value) => bound(value))],
  ["an object with its sql", (storage) => forwarding(storage, storage.sql)],
  ["an object with a Proxy of its sql", (storage) => forwarding(storage, bound(storage.sql))],
  ["an object with an sql of its own", (storage) => forwarding(storage, new ForwardingSql(storage.sql))],
];
const pairs = ways.flatMap(([one, first]) =>
  ways.map(([other, second]) => [one, other, first, second] as [string, string, ...[typeof first, typeof second]]),
);

async function expectSound(...workspaces: Workspace[]): Promise<void> {
  for (const workspace of workspaces) {
    expect(await workspace.fsck()).toMatchObject({ ok: true, problems: [] });
  }
}

describe("two workspaces over one database", () => {
  it.each(pairs)("by %s and %s see what the other writes", (_one, _other, first, second) =>
    inside(async (storage) => {
      const one = new Workspace({ storage: first(storage) });
      const two = new Workspace({ storage: second(storage) });
      // Both have something in memory, and of a database without tables.
      expect([await one.fs.readdir(W), await two.fs.readdir(W)]).toEqual([[], []]);
      const model = new Map<string, string>();
      for (let i = 0; i < 12; i++) {
        const { fs } = [one, two, two][i % 3] as Workspace;
        const name = `f${i % 5}`;
        const text = `${i} `.repeat(1 + 100 * i);
        if (i % 4 === 3) {
          await fs.rename(`${W}/${name}`, `${W}/moved${i}`).then(
            () => {
              model.set(`moved${i}`, model.get(name) as string);
              model.delete(name);
            },
            (error) => expect(error).toMatchObject({ code: "ENOENT" }),
          );
        } else {
          await fs.appendFile(`${W}/${name}`, text);
          model.set(name, (model.get(name) ?? "") + text);
        }
      }
      await one.fs.writeFile(`${W}/large`, new Uint8Array(3_000_000));
      await two.fs.appendFile(`${W}/large`, "end");
      for (const { fs } of [one, two, one]) {
        expect(await fs.readdir(W)).toEqual([...model.keys(), "large"].sort());
        for (const [name, text] of model) expect(await fs.readFile(`${W}/${name}`, "utf8")).toBe(text);
        expect((await fs.stat(`${W}/large`)).size).toBe(3_000_003);
      }
      await two.gc({ retention: { entries: 0 } });
      await one.fs.writeFile(`${W}/last`, "1");
      await expectSound(one, two);
    }),
  );

  it.each(pairs)("by %s and %s are sound when a transaction of either is rolled back", (_one, _other, first, second) =>
    inside(async (storage) => {
      const [a, b] = [first(storage), second(storage)];
      const one = new Workspace({ storage: a });
      const two = new Workspace({ storage: b });
      await one.fs.writeFile(`${W}/a`, "kept");
      for (const around of [a, b, storage]) {
        for (const workspace of [one, two]) {
          const undone = around.transaction(async () => {
            await workspace.fs.writeFile(`${W}/a`, "undone").catch((error) => expect(error.code).toBe("EBUSY"));
            throw new Error("undone");
          });
          await expect(undone).rejects.toThrow("undone");
          await workspace.fs.writeFile(`${W}/b`, "next");
          for (const { fs } of [one, two]) expect(await fs.readFile(`${W}/a`, "utf8")).toBe("kept");
        }
      }
      await expectSound(one, two);
    }),
  );

  it.each(ways)("by %s leave each other's handles and streams alone, or are refused", (_, way) =>
    inside(async (storage) => {
      const one = new Workspace({ storage });
      const two = new Workspace({ storage: way(storage) });
      const handle = await one.fs.open(`${W}/a`, "w");
      for (let i = 0; i < 20; i++) {
        await handle.write(new Uint8Array(100_000).fill(i));
        await two.fs
          .writeFile(`${W}/b`, new Uint8Array(200_000))
          .catch((error) =>
            expect(error).toMatchObject({ code: "EBUSY", message: expect.stringContaining("ctx.storage") }),
          );
        await two.gc().catch((error) => expect(error.code).toBe("EBUSY"));
      }
      await handle.close();
      await two.fs.writeFile(`${W}/c`, "1");
      const bytes = await two.fs.readFile(`${W}/a`);
      expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([2_000_000, 0, 19]);
      await expectSound(one, two);
    }),
  );

  it("made anew for every request take no more with each", () =>
    inside(async (storage) => {
      for (let i = 0; i < 300; i++) {
        const way = ways[i % ways.length]![1];
        await new Workspace({ storage: way(storage) }).fs.writeFile(`${W}/${i % 10}`, `${i}`);
      }
      const workspace = new Workspace({ storage });
      // Shadows upon shadows would run out of stack, and take their time.
      let depth = 0;
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 1000;
      storage.transactionSync(() => {
        depth = new Error("where").stack?.split("\n").length ?? 0;
      });
      Error.stackTraceLimit = stackTraceLimit;
      expect(depth).toBeLessThan(40);
      expect(await workspace.fs.readFile(`${W}/9`, "utf8")).toBe("299");
      await expectSound(workspace);
    }));
});

describe("a transaction that was taken from the storage before the workspace was made", () => {
  const changes: [name: string, (workspace: Workspace) => Promise<unknown>][] = [
    ["a new file", ({ fs }) => fs.writeFile(`${W}/new`, "undone")],
    ["an overwritten file", ({ fs }) => fs.writeFile(`${W}/a`, "undone, and longer than it was")],
    ["a new directory", ({ fs }) => fs.mkdir(`${W}/d/e`, { recursive: true })],
    ["a rename", ({ fs }) => fs.rename(`${W}/a`, `${W}/moved`)],
    ["a removal", ({ fs }) => fs.rm(`${W}/a`)],
    ["an append", ({ fs }) => fs.appendFile(`${W}/a`, "undone")],
    ["a link", ({ fs }) => fs.link(`${W}/a`, `${W}/linked`)],
  ];
  const next: [name: string, (workspace: Workspace) => Promise<unknown>][] = [
    ["a write", ({ fs }) => fs.writeFile(`${W}/next`, "next")],
    ["an append", ({ fs }) => fs.appendFile(`${W}/next`, "next")],
    [
      "many files",
      ({ fs }) => fs.writeMany(Array.from({ length: 40 }, (_, i) => ({ path: `${W}/m/${i}`, content: "m" }))),
    ],
    ["a large file", ({ fs }) => fs.writeFile(`${W}/next`, new Uint8Array(2_500_000))],
    [
      "a handle",
      async ({ fs }) => {
        await using file = await fs.open(`${W}/next`, "w");
        await file.write(new TextEncoder().encode("next"));
      },
    ],
    ["an undo", ({ history }) => history.undo({ callId: "call" })],
  ];
  const cases = changes.flatMap(([undone, change]) =>
    next.flatMap(([then, go]) => [true, false].map((first) => [undone, then, first, change, go] as const)),
  );

  it.each(cases)(
    "rolls %s back, and %s after it leaves the database sound (first write: %s)",
    (_undone, _then, first, change, go) =>
      inside(async (storage) => {
        const transactionSync = storage.transactionSync.bind(storage);
        const workspace = new Workspace({ storage });
        await workspace.as({ callId: "call" }).fs.writeFile(`${W}/a`, "kept");
        // The incarnation's first write records its epoch: that may be what is rolled back.
        if (first) workspace[internals].volume.store.invalidateCaches();
        const verbs: Promise<unknown>[] = [];
        expect(() =>
          transactionSync(() => {
            verbs.push(change(workspace));
            throw new Error("undone");
          }),
        ).toThrow("undone");
        await Promise.allSettled(verbs);
        await go(workspace).catch((error) => expect(error.code).toBe("EAGAIN"));
        await go(workspace).catch((error) => expect(error.code).toBe("ENOENT"));
        if (await workspace.fs.exists(`${W}/a`)) expect(await workspace.fs.readFile(`${W}/a`, "utf8")).toBe("kept");
        expect(await workspace.fs.exists(`${W}/new`)).toBe(false);
        await expectSound(workspace);
        workspace[internals].volume.store.invalidateCaches();
        await expectSound(workspace);
      }),
  );

  it("rolls back over an await, and what it overwrote is read as it is", () =>
    inside(async (storage) => {
      const transaction = storage.transaction.bind(storage);
      const workspace = new Workspace({ storage });
      await workspace.fs.writeFile(`${W}/a`, "kept");
      const undone = transaction(async () => {
        await workspace.fs.writeFile(`${W}/a`, "undone, and longer than it was");
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      expect(await workspace.fs.readFile(`${W}/a`, "utf8")).toBe("kept");
      expect((await workspace.fs.stat(`${W}/a`)).size).toBe(4);
      await expectSound(workspace);
    }));
});

it("the next write notices that another workspace wrote to the log, and overwrites nothing", () =>
  inside(async (storage) => {
    const workspace = new Workspace({ storage });
    await workspace.fs.writeFile(`${W}/a`, "1");
    storage.sql.exec("DELETE FROM ws_log WHERE rev = (SELECT max(rev) FROM ws_log)");
    storage.sql.exec("DELETE FROM ws_dirent WHERE name = 'a'");
    storage.sql.exec("DELETE FROM ws_inode WHERE ino = (SELECT max(ino) FROM ws_inode)");
    storage.sql.exec("DELETE FROM ws_content");
    storage.sql.exec("UPDATE ws_inode SET rev = 2 WHERE rev > 2");
    await workspace.fs.writeFile(`${W}/b`, "2");
    expect(await workspace.fs.readdir(W)).toEqual(["b"]);
    await expectSound(workspace);
  }));
