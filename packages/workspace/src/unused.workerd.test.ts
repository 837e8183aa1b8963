/** A workspace that was never used: reads answer as for an empty workspace, and leave nothing behind. */

import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { Counter } from "@workspace/testing/counting-storage";
import { describe, expect, it } from "vitest";

const W = "/workspace";
let created = 0;
const fresh = () => env.WORKSPACE.getByName(`unused ${created++}`);

type Client = Pick<
  Workspace,
  "fs" | "git" | "shell" | "history" | "snapshots" | "at" | "maintain" | "gc" | "fsck" | typeof internals
>;

/** Every verb that only reads, and what it says of an empty workspace. */
const reads: [name: string, (ws: Client) => Promise<unknown>, unknown][] = [
  ["stat", async ({ fs }) => (await fs.stat(W)).type, "dir"],
  ["stat of the root", async ({ fs }) => (await fs.stat("/")).nlink, 3],
  ["lstat of what is missing", async ({ fs }) => codeOf(fs.lstat(`${W}/x`)), "ENOENT"],
  [
    "exists",
    async ({ fs }) => [await fs.exists(W), await fs.exists(`${W}/x`), await fs.exists("/x")],
    [true, false, false],
  ],
  ["access", async ({ fs }) => codeOf(fs.access(W)), undefined],
  ["realpath", ({ fs }) => fs.realpath(`${W}/../workspace/.`), W],
  ["readFile", ({ fs }) => codeOf(fs.readFile(`${W}/x`)), "ENOENT"],
  ["readMany", ({ fs }) => fs.readMany([`${W}/x`]), [null]],
  [
    "readStream",
    async ({ fs }) => codeOf(Promise.resolve(fs.readStream(`${W}/x`)).then((s) => new Response(s).text())),
    "ENOENT",
  ],
  ["open", ({ fs }) => codeOf(fs.open(`${W}/x`)), "ENOENT"],
  [
    "readdir",
    async ({ fs }) => [await fs.readdir("/"), await fs.readdir(W), await fs.readdir("/", { recursive: true })],
    [["workspace"], [], ["workspace"]],
  ],
  ["scan", async ({ fs }) => (await fs.scan("/")).map(({ name, stat }) => [name, stat.type]), [["workspace", "dir"]]],
  ["opendir", async ({ fs }) => (await (await fs.opendir("/")).read())?.name, "workspace"],
  ["glob", ({ fs }) => fs.glob("**", { cwd: "/", dirs: true }), [".", "workspace"]],
  ["find", async ({ fs }) => (await fs.find("/")).map(({ path }) => path), ["/", "/workspace"]],
  ["grep", async ({ fs }) => (await fs.grep("x", "/")).hits, []],
  ["tree", async ({ fs }) => (await fs.tree(W)).text, expect.stringContaining("workspace")],
  ["du", async ({ fs }) => (await fs.du("/")).bytes, 0],
  ["statfs", async ({ fs }) => (await fs.statfs("/")).bsize, 4096],
  ["changes", async ({ fs }) => (await fs.changes()).changes, []],
  ["history.log", async ({ history }) => (await history.log()).entries, []],
  ["history.groups", async ({ history }) => (await history.groups()).groups, []],
  ["history.use", async ({ history }) => (await history.use()).entries, 0],
  ["history.diff", async ({ fs, history }) => (await history.diff({ from: (await fs.changes()).cursor })).files, []],
  ["snapshots.list", ({ snapshots }) => snapshots.list(), []],
  ["a view of the past", async (ws) => (await ws.at((await ws.fs.changes()).cursor)).fs.readdir("/"), ["workspace"]],
  ["git status", async ({ git }) => (await git.cli({ argv: ["status"], cwd: W })).exitCode, 128],
  ["git log", async ({ git }) => (await git.cli({ argv: ["log"], cwd: W })).exitCode, 128],
  ["shell.list", ({ shell }) => shell.list(), []],
  ["shell.get", ({ shell }) => codeOf(shell.get("nothing")), expect.any(String)],
  ["maintain", (ws) => ws.maintain(), { more: false, nextDueMs: null }],
  ["fsck", async (ws) => (await ws.fsck()).problems, []],
  ["rm of what is missing", ({ fs }) => codeOf(fs.rm(`${W}/x`)), "ENOENT"],
  ["rm by force", ({ fs }) => codeOf(fs.rm(`${W}/x`, { force: true })), undefined],
  ["mkdir of what is there", ({ fs }) => fs.mkdir(W, { recursive: true }), undefined],
  ["writeMany of nothing", async ({ fs }) => (await fs.writeMany([])).written, 0],
  ["history.purge", ({ history }) => history.purge("/"), { states: 0, bytes: 0, shared: [] }],
  ["history.undo", async ({ history }) => (await history.undo({ path: W })).changes, []],
  ["history.blame", ({ history }) => codeOf(history.blame(`${W}/x`)), "ENOENT"],
  ["snapshots.restore", async ({ snapshots }) => (await snapshots.restore("now")).changes, []],
  ["snapshots.remove", ({ snapshots }) => codeOf(snapshots.remove("nothing")), "ENOENT"],
  ["shell.remove", ({ shell }) => codeOf(shell.remove("nothing")), "ENOENT"],
  ["gc", async (ws) => (await ws.gc()).steps, 0],
  ["toolState.proposals", ({ [internals]: { toolState } }) => toolState.proposals("actor"), []],
  ["toolState.dropProposals", ({ [internals]: { toolState } }) => codeOf(toolState.dropProposals("actor")), undefined],
  ["toolState.inbox", ({ [internals]: { toolState } }) => toolState.inbox("agent"), []],
  ["toolState.auditLog", ({ [internals]: { toolState } }) => toolState.auditLog(), []],
];

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error) => error.code,
  );
}

describe("a workspace without any write", () => {
  it.each(reads)("%s answers as for an empty workspace, and writes nothing", async (_, read, answer) => {
    const stub = fresh();
    const untouched = await runInDurableObject(stub, (_object, { storage }) => storage.sql.databaseSize);
    const costs = await runInDurableObject(stub, async ({ workspace }, { storage }) => {
      const counter = new Counter(storage);
      const cost = await counter.of(async () => expect(await read(workspace)).toEqual(answer));
      return { cost, texts: [...counter.texts] };
    });
    expect(costs.cost.rowsWritten).toBe(0);
    expect(costs.texts).toEqual(["SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ws_migrations'"]);
    await evictDurableObject(stub);
    expect(await read(getWorkspace(stub) as never)).toEqual(answer);
    await runInDurableObject(stub, async (_object, { storage }) => {
      expect(storage.sql.databaseSize).toBe(untouched);
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBe(null);
    });
  });

  it("gives cursors and versions that stay good over evictions and the first write", async () => {
    const stub = fresh();
    const ws = getWorkspace(stub);
    const { cursor } = await ws.fs.changes();
    const { version, mtimeMs } = await ws.fs.stat(W);
    await evictDurableObject(stub);
    expect((await ws.fs.changes({ since: cursor })).changes).toEqual([]);
    expect((await ws.fs.stat(W)).version).toBe(version);
    await ws.fs.writeFile(`${W}/a`, "1", { ifVersion: null });
    const { changes } = await ws.fs.changes({ since: cursor });
    expect(changes.at(-1)).toMatchObject({ path: `${W}/a`, op: "create" });
    expect((await ws.fs.stat(W)).mtimeMs).toBeGreaterThanOrEqual(mtimeMs);
    expect((await ws.fs.stat(W)).version).not.toBe(version);
    await evictDurableObject(stub);
    expect(await ws.at(cursor).fs.readdir(W)).toEqual([]);
    expect(await ws.fs.readdir(W)).toEqual(["a"]);
    expect(await ws.fsck()).toMatchObject({ ok: true, problems: [] });
  });

  it("gives cursors that are not those of another", async () => {
    const [one, other] = [getWorkspace(fresh()), getWorkspace(fresh())];
    const { cursor } = await one.fs.changes();
    await expect(other.fs.changes({ since: cursor })).rejects.toMatchObject({ code: "EGONE" });
    await other.fs.writeFile(`${W}/a`, "1");
    await expect(other.fs.changes({ since: cursor })).rejects.toMatchObject({ code: "EGONE" });
  });

  it("makes its tables for whatever writes first", async () => {
    const writes: ((ws: Workspace) => Promise<unknown>)[] = [
      ({ fs }) => fs.mkdir(`${W}/d`),
      ({ fs }) => fs.writeFile("/outside", "x"),
      ({ fs }) => fs.writeFile(`${W}/large`, new Uint8Array(3_000_000)),
      ({ fs }) => fs.writeFile(`${W}/stream`, new Blob([new Uint8Array(3_000_000)]).stream()),
      ({ fs }) => fs.writeMany([{ path: `${W}/a/b`, content: "1" }]),
      ({ fs }) => fs.symlink("x", `${W}/link`),
      ({ fs }) => fs.chmod(W, 0o700),
      ({ snapshots }) => snapshots.create("first"),
      ({ git }) => git.cli({ argv: ["init"], cwd: W }),
      async ({ shell }) => (await shell.exec("true")).result(),
      async ({ fs }) => {
        await using file = await fs.open(`${W}/handle`, "w");
        await file.write(new Uint8Array(2_000_000));
      },
      ({ [internals]: { toolState } }) => toolState.saveDisabledTools(["bash"]),
    ];
    for (const write of writes) {
      await runInDurableObject(env.BARE.getByName(`first ${created++}`), async (_object, { storage }) => {
        const workspace = new Workspace({ storage });
        await workspace.fs.readdir("/");
        await write(workspace);
        expect(await workspace.fsck()).toMatchObject({ ok: true, problems: [] });
        workspace[internals].volume.store.invalidateCaches();
        expect(await workspace.fs.readdir("/")).toContain("workspace");
        expect(await workspace.fsck()).toMatchObject({ ok: true, problems: [] });
      });
    }
  });

  it("changes nothing when its first write fails, wherever that is", async () => {
    for (let at = 1, failed = true; failed; at++) {
      failed = await runInDurableObject(env.BARE.getByName(`fails ${at}`), async (_object, { storage }) => {
        const workspace = new Workspace({ storage });
        await workspace.fs.exists(W);
        const { exec } = storage.sql;
        let statements = 0;
        const fault = (text: string, ...values: unknown[]) => {
          if (++statements === at) throw new Error("fault");
          return exec.call(storage.sql, text, ...values);
        };
        Object.defineProperty(storage.sql, "exec", { configurable: true, value: fault });
        const result = await workspace.fs.writeFile(`${W}/a`, "1").catch((error: Error) => error.message);
        Object.defineProperty(storage.sql, "exec", { configurable: true, value: exec });
        expect(await workspace.fs.readdir(W)).toEqual(result === "fault" ? [] : ["a"]);
        await workspace.fs.writeFile(`${W}/a`, "2");
        expect(await workspace.fs.readFile(`${W}/a`, "utf8")).toBe("2");
        expect(await workspace.fsck()).toMatchObject({ ok: true, problems: [] });
        return result === "fault";
      });
      expect(at).toBeLessThan(200);
    }
  });
});
