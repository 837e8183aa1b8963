/** An unknown option is rejected by name, with a suggestion; nothing is changed. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, serveWorkspace, Workspace, type WorkspaceClient } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const PATH = "/workspace/f";
type Subject = Pick<
  Workspace | WorkspaceClient,
  "fs" | "history" | "snapshots" | "shell" | "as" | "maintain" | "fsck"
> & {
  gc(options?: object): Promise<unknown>;
};
type Call = (subject: Subject, moment: string) => unknown;

/** What is called, the option that does not exist, and what is suggested in its place. */
const CALLS: Record<string, [call: Call, option: string, meant: string | null]> = {
  "history.undo": [({ history }) => history.undo({ path: PATH, dryrun: true } as never), "dryrun", "dryRun"],
  "history.undo, with nothing like it": [
    ({ history }) => history.undo({ path: PATH, sure: true } as never),
    "sure",
    null,
  ],
  "history.log": [({ history }) => history.log({ limt: 1 } as never), "limt", "limit"],
  "history.groups": [({ history }) => history.groups({ callid: "x" } as never), "callid", "callId"],
  "history.diff": [({ history }, from) => history.diff({ from, contxt: 1 } as never), "contxt", "context"],
  "history.blame": [
    ({ history }) => (history.blame as (...args: unknown[]) => unknown)(PATH, { at: "now" }),
    "at",
    null,
  ],
  "history.purge": [
    ({ history }) => (history.purge as (...args: unknown[]) => unknown)(PATH, { dryRun: true }),
    "dryRun",
    null,
  ],
  "snapshots.create": [({ snapshots }) => snapshots.create("s", { pined: false } as never), "pined", "pinned"],
  "snapshots.restore": [({ snapshots }, then) => snapshots.restore(then, { path: [PATH] } as never), "path", "paths"],
  "snapshots.restore, dry": [({ snapshots }, then) => snapshots.restore(then, { dry: true } as never), "dry", null],
  maintain: [(subject) => subject.maintain({ budgt: 3 } as never), "budgt", "budget"],
  gc: [(subject) => subject.gc({ retentoin: { entries: 0 } } as never), "retentoin", "retention"],
  fsck: [(subject) => subject.fsck({ repare: true } as never), "repare", "repair"],
  as: [(subject) => subject.as({ acter: "me" } as never), "acter", "actor"],
  "shell.exec": [({ shell }) => shell.exec("touch /workspace/x", { timeout: 5 } as never), "timeout", null],
  "shell.exec, encoding": [({ shell }) => shell.exec("touch x", { encodng: "utf8" } as never), "encodng", "encoding"],
  "shell.get": [({ shell }) => shell.get("x", { resum: "tail" } as never), "resum", "resume"],
  "shell.list": [({ shell }) => shell.list({ sate: "running" } as never), "sate", "state"],
  "fs.writeMany": [
    ({ fs }) => fs.writeMany([{ path: PATH, content: "two", ifversion: null } as never]),
    "ifversion",
    "ifVersion",
  ],
  "fs.writeMany, of a directory": [
    ({ fs }) => fs.writeMany([{ path: "/workspace/d", type: "dir", content: "" } as never]),
    "content",
    null,
  ],
  "fs.grep": [
    ({ fs }) => (fs as WorkspaceClient["fs"]).grep("x", "/", { budget: { byts: 1 } } as never),
    "budget.byts",
    "budget.bytes",
  ],
};

async function refusal(call: () => unknown): Promise<{ code?: string; message?: string } | "done"> {
  try {
    await call();
    return "done";
  } catch (error) {
    return error as { code?: string; message?: string };
  }
}

async function expectRefusals(subject: Subject): Promise<void> {
  await subject.fs.writeFile(PATH, "one");
  const { version } = await subject.snapshots.create("kept");
  await subject.fs.writeFile(PATH, "two");
  const { cursor } = await subject.fs.changes();
  for (const [name, [call, option, meant]] of Object.entries(CALLS)) {
    const error = await refusal(() => call(subject, version));
    expect([name, error]).toMatchObject([name, { code: "EINVAL" }]);
    const hint = meant === null ? "" : `; did you mean "${meant}"?`;
    expect((error as Error).message).toContain(`option "${option}" is not supported${hint}`);
  }
  expect((await subject.fs.changes()).cursor).toBe(cursor);
  expect((await subject.snapshots.list()).map(({ name }) => name)).toEqual(["kept"]);
  // What is undefined is absent.
  const { changes } = await subject.history.undo({ path: PATH, dryRun: true, dryrun: undefined } as never);
  expect(changes).toHaveLength(1);
  expect(await subject.shell.list({ sate: undefined } as never)).toEqual([]);
}

function inWorkspace<T>(body: (storage: DurableObjectStorage) => Promise<T>): Promise<T> {
  return runInDurableObject(env.BARE.getByName(crypto.randomUUID()), (_object, { storage }) => body(storage));
}

describe("an option that does not exist", () => {
  it("is refused by every call of a Workspace", () =>
    inWorkspace((storage) => expectRefusals(new Workspace({ storage }) as Subject)));

  it("is refused by every call of a client", () => expectRefusals(getWorkspace(env.WORKSPACE, "options") as Subject));

  it.each([
    ["historyUndo", [{ path: PATH, dryrun: true }], "dryRun"],
    ["historyLog", [{ limt: 1 }], "limit"],
    ["historyDiff", [{ from: "now", contxt: 1 }], "context"],
    ["snapshotCreate", ["s", { pined: true }], "pinned"],
    ["snapshotRestore", ["now", { dryrun: true }], "dryRun"],
    ["shellExec", ["touch x", { timeoutms: 5 }], "timeoutMs"],
    ["shellList", [{ sate: "running" }], "state"],
    ["maintain", [{ budgt: 1 }], "budget"],
    ["fsck", [{ repare: true }], "repair"],
    ["tools.auditLog", [{ limt: 1 }], "limit"],
  ])("is refused by the object when a call of %s has it", (verb, args, meant) =>
    inWorkspace(async (storage) => {
      const workspace = new Workspace({ storage });
      await workspace.fs.writeFile(PATH, "one");
      const { cursor } = await workspace.fs.changes();
      const reply = await serveWorkspace(workspace, { verb, args } as never);
      expect(reply).toMatchObject({ error: { code: "EINVAL" } });
      expect(JSON.stringify(reply)).toContain(`did you mean \\"${meant}\\"?`);
      expect((await workspace.fs.changes()).cursor).toBe(cursor);
    }),
  );

  it.each([
    [{ retentoin: { days: 1 } }, "retentoin", "retention"],
    [{ retention: { dayz: 1 } }, "retention.dayz", "retention.days"],
    [{ limits: { filebytes: 4 } }, "limits.filebytes", "limits.fileBytes"],
    [{ gitSetings: {} }, "gitSetings", "gitSettings"],
    [{ gitSettings: { identity: { nam: "x", email: "y" } } }, "gitSettings.identity.nam", "gitSettings.identity.name"],
    [{ gitSettings: { limits: { memry: 1 } } }, "gitSettings.limits.memry", "gitSettings.limits.memory"],
    [{ shellSettings: { netwrk: "open" } }, "shellSettings.netwrk", "shellSettings.network"],
    [{ shellSettings: { limits: { runing: 1 } } }, "shellSettings.limits.runing", "shellSettings.limits.running"],
    [{ shellSettings: { worker: { comands: 1 } } }, "shellSettings.worker.comands", "shellSettings.worker.commands"],
    [{ sandboxSettings: { idlems: 1 } }, "sandboxSettings.idlems", "sandboxSettings.idleMs"],
    [{ sandboxSettings: { budget: { entris: 1 } } }, "sandboxSettings.budget.entris", "sandboxSettings.budget.entries"],
  ])("is refused by new Workspace(%j)", (options, option, meant) =>
    inWorkspace(async (storage) => {
      const error = await refusal(() => new Workspace({ storage, ...options } as never));
      expect(error).toMatchObject({ code: "EINVAL", syscall: "new Workspace" });
      expect((error as Error).message).toContain(`option "${option}" is not supported; did you mean "${meant}"?`);
      // It settled nothing: the storage can still have a workspace with any options.
      await new Workspace({ storage, root: "/home" }).fs.writeFile("/home/f", "");
    }),
  );

  it.each([
    { shellSettings: { network: { alow: ["example.com"] } } },
    { shellSettings: { network: "opne" } },
    { sandboxSettings: { policy: [{ glob: "*.log", kep: "durable" }] } },
    { sandboxSettings: { policy: [{ glob: "*.log", keep: "durabel" }] } },
  ])("in a setting with a form of its own is refused by new Workspace(%j)", (options) =>
    inWorkspace(async (storage) => {
      const error = await refusal(() => new Workspace({ storage, ...options } as never));
      expect(error).toMatchObject({ code: "EINVAL", message: expect.stringContaining("does not take") });
    }),
  );

  it.each([
    ...[Number.NaN, -1, "100"].flatMap((value) => [
      { retention: { entries: value } },
      { retention: { bytes: value } },
      { retention: { days: value } },
      { limits: { databaseBytes: value } },
      { shellSettings: { limits: { timeoutMs: value } } },
      { shellSettings: { worker: { work: { steps: value } } } },
      { gitSettings: { limits: { memory: value } } },
      { sandboxSettings: { budget: { bytes: value } } },
    ]),
    { limits: { rowBytes: 0 } },
    { limits: { chunkBytes: 0 } },
  ])("a limit that limits nothing is refused by new Workspace(%o)", (options) =>
    inWorkspace(async (storage) => {
      const error = await refusal(() => new Workspace({ storage, ...options } as never));
      expect(error).toMatchObject({ code: "EINVAL", message: expect.stringContaining("does not take") });
    }),
  );

  it("a limit that limits nothing is refused by gc and maintain, which change nothing", () =>
    inWorkspace(async (storage) => {
      const workspace = new Workspace({ storage, retention: { entries: 5 } });
      for (let i = 0; i < 20; i++) await workspace.fs.writeFile(PATH, `${i}`);
      const entries = () => storage.sql.exec("SELECT count(*) AS n FROM ws_log").one().n;
      const before = entries();
      for (const value of [Number.NaN, -1, "0"]) {
        const retention = { entries: value } as never;
        expect(await refusal(() => workspace.gc({ retention }))).toMatchObject({ code: "EINVAL" });
        expect(await refusal(() => workspace.maintain({ budget: value as never }))).toMatchObject({ code: "EINVAL" });
      }
      expect(entries()).toBe(before);
      await workspace.gc({ retention: { entries: 0, days: Number.POSITIVE_INFINITY } });
      expect(entries()).toBe(0);
    }));

  it.each([
    [{ actr: "x" }, "actr", "actor"],
    [{ watch: { waitms: 1 } }, "watch.waitms", "watch.waitMs"],
  ])("is refused by getWorkspace(namespace, name, %j)", async (options, option, meant) => {
    for (const make of [
      () => getWorkspace(env.WORKSPACE, "name", options as never),
      () => getWorkspace(env.WORKSPACE.getByName("name"), options as never),
    ])
      expect(await refusal(make)).toMatchObject({
        code: "EINVAL",
        message: expect.stringContaining(`option "${option}" is not supported; did you mean "${meant}"?`),
      });
  });

  it("is refused by serveWorkspace", () =>
    inWorkspace(async (storage) => {
      const reply = serveWorkspace(new Workspace({ storage }), { verb: "exists", args: [PATH] }, {
        acter: "x",
      } as never);
      expect(await reply).toMatchObject({ error: { code: "EINVAL" } });
    }));
});

describe("new Workspace", () => {
  it("takes an option whose value is undefined as absent", () =>
    inWorkspace(async (storage) => {
      const settings = {
        retention: { days: undefined, entries: 5 },
        limits: { fileBytes: undefined },
        retentoin: undefined,
      };
      const ws = new Workspace({ storage, git: undefined, shell: undefined, ...settings } as never);
      expect(ws.features).toEqual({ git: true, shell: true });
      expect(ws[internals].volume.store.retention).toEqual({ days: 30, entries: 5, bytes: 1024 ** 3 });
      await ws.fs.writeFile(PATH, "text");
    }));
});
