/** A restricted view finds the executions of its own principal, and their output files, and no others: in the object and over RPC. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace, type WorkspaceClient } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";

const SECRET = "TOPSECRET42";
const W = "/workspace";
const DENY = { deny: [".env"] };
/** Long enough for a file of its own. */
const LONG = "for i in $(seq 1 3000); do cat .env; done";
let count = 0;

function inWorkspace(body: (ws: Workspace) => Promise<void>): Promise<void> {
  return runInDurableObject(env.BARE.getByName(`executions ${count++}`), async (_, { storage }) => {
    const ws = new Workspace({ storage });
    await ws.fs.writeFile(`${W}/.env`, `${SECRET}\n`);
    await body(ws);
  });
}

type View = Pick<Workspace, "shell" | "fs" | "history" | "snapshots" | "at"> | WorkspaceClient;

async function run(view: View, command: string, id?: string) {
  await using handle = await view.shell.exec(command, { encoding: "utf8", ...(id === undefined ? {} : { id }) });
  return await handle.result();
}

const code = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );
const ids = async (view: View) => (await view.shell.list()).map(({ id }) => id).sort();

/** Everything that a principal can try with an id or a path that is not its own. */
async function expectUnreachable(view: View, id: string, output: string | undefined): Promise<void> {
  expect(await ids(view)).not.toContain(id);
  expect((await view.shell.list({ state: "running" })).map((one) => one.id)).not.toContain(id);
  expect((await view.shell.list({ limit: 1 })).map((one) => one.id)).not.toContain(id);
  const missing = await code(view.shell.get("never-started"));
  for (const resume of ["full", "tail", 0] as const) expect(await code(view.shell.get(id, { resume }))).toBe(missing);
  expect(await code(view.shell.remove(id))).toBe("ENOENT");
  if (output === undefined) return;
  for (const read of [
    view.fs.readFile(output),
    view.fs.stat(output),
    view.fs.open(output, "r"),
    view.fs.copyFile(output, `${W}/copy`),
    view.fs.link(output, `${W}/copy`),
    view.at("now").fs.readFile(output),
  ])
    expect(["ENOENT", "EACCES"]).toContain(await code(read as Promise<unknown>));
  const texts = [
    await view.fs.grep(SECRET, "/", { hidden: true, ignore: false }),
    await view.fs.find("/"),
    await view.fs.readdir("/", { recursive: true }),
    await view.fs.tree("/", { depth: 9 }),
    await view.fs.changes(),
    await view.history.log(),
    await view.history.groups(),
    await run(view, `cat ${output}; ls -aR /workspace; grep -ra TOP /workspace; find / -name '*.log'; rg -uu TOP /`),
  ].map((found) => JSON.stringify(found));
  for (const text of texts) {
    expect(text).not.toContain(SECRET);
    // `cat` names the path that it was given.
    expect(text.replaceAll(`cat: ${output}`, "")).not.toContain(`${id}.log`);
  }
}

describe("the executions of a restricted view", () => {
  it("are not those of the host, nor of other actors, nor of wider views", () =>
    inWorkspace(async (all) => {
      const started = [
        await run(all, LONG, "host"),
        await run(all.as({ actor: "bob" }), LONG, "bob"),
        await run(all.as({ actor: "alice" }), LONG, "alice-unrestricted"),
        await run(all.as({ actor: "alice" }).restrict({ deny: ["other"] }), LONG, "alice-other-policy"),
      ];
      for (const { output, stdout } of started)
        expect([output === null, stdout.includes(SECRET)]).toEqual([false, true]);
      for (const view of [
        all.restrict(DENY),
        all.restrict(DENY).as({ actor: "alice" }),
        all.as({ actor: "alice" }).restrict(DENY),
        all.restrict(DENY).restrict({ readOnly: true }).as({ actor: "carol" }),
        all.restrict({ root: W, deny: [".env"] }).as({ actor: "al" }),
      ])
        for (const { id, output } of started) await expectUnreachable(view, id, output?.path);
      expect((await ids(all)).filter((id) => !id.startsWith("x"))).toEqual([
        "alice-other-policy",
        "alice-unrestricted",
        "bob",
        "host",
      ]);
      for (const policy of [{}, { readOnly: true }, { writable: ["src/"] }])
        expect(await ids(all.restrict(policy))).not.toContain("host");
    }));

  it("are those of its actor, of actors below it, and of narrower views", () =>
    inWorkspace(async (all) => {
      const alice = all.restrict(DENY).as({ actor: "alice" });
      const { output } = await run(alice, "seq 1 9999", "own");
      await run(alice.as({ actor: "helper" }), "echo 1", "below");
      await run(alice.restrict({ root: W, readOnly: true }), "echo 1", "narrower");
      const again = all.as({ actor: "alice" }).restrict({ ...DENY, writable: ["src/"] });
      expect(await ids(again)).toEqual(["below", "narrower", "own"]);
      expect(await ids(alice.as({ actor: "helper" }))).toEqual(["below"]);
      expect(await again.fs.readFile(output?.path ?? "", "utf8")).toContain("9999");
      expect(await ids(all.restrict(DENY).as({ actor: "alicex" }))).toEqual([]);
      await again.shell.remove("own");
      expect(await ids(all)).toEqual(["below", "narrower"]);
      const unnamed = all.restrict(DENY);
      await run(unnamed, "echo 1", "unnamed");
      expect(await ids(all.restrict(DENY))).toEqual(["unnamed"]);
    }));

  it("cannot be stopped, written to or followed by another principal", () =>
    inWorkspace(async (all) => {
      const alice = all.restrict(DENY).as({ actor: "alice" });
      await using running = await alice.shell.exec("cat; sleep 0.2; echo end", { id: "long", encoding: "utf8" });
      const bob = all.restrict(DENY).as({ actor: "bob" });
      await expectUnreachable(bob, "long", undefined);
      await running.closeStdin().catch(() => {});
      expect(await running.result()).toMatchObject({ state: "exited", exitCode: 0, stdout: "end\n" });
    }));

  it("keep their output files where no view can change, move or replace them", () =>
    inWorkspace(async (all) => {
      await run(all, LONG, "host");
      const view = all.restrict(DENY).as({ actor: "alice" });
      const { output } = await run(view, "seq 1 9999", "own");
      const own = output?.path ?? "";
      const { version } = await all.fs.stat(W);
      for (const attack of [
        view.fs.rename(`${W}/.workspace`, `${W}/moved`),
        view.fs.rename(`${W}/.workspace/exec`, `${W}/moved`),
        view.fs.rm(`${W}/.workspace`, { recursive: true }),
        view.fs.writeFile(own, "x"),
        view.fs.unlink(own),
        view.fs.symlink("../../.env", `${W}/.workspace/exec/next.log`),
        view.fs.link(own, `${W}/.workspace/exec/other.log`),
        view.fs.writeFile(`${W}/.workspace/exec/host.log`, "x"),
      ])
        expect(await code(attack as Promise<unknown>)).toBe("EACCES");
      expect((await all.fs.stat(W)).version).toBe(version);
    }));

  it("spool no output through a link that a view has made", () =>
    inWorkspace(async (all) => {
      const view = all.restrict(DENY).as({ actor: "alice" });
      expect(await code(view.fs.symlink(".env", `${W}/.workspace`))).toBe("EACCES");
      await view.fs.mkdir(`${W}/.workspace/exec`, { recursive: true }).catch(() => {});
      await view.fs.symlink("../../.env", `${W}/.workspace/exec/evil.log`).catch(() => {});
      await run(view, "seq 1 9999", "evil");
      expect(await all.fs.readFile(`${W}/.env`, "utf8")).toBe(`${SECRET}\n`);
    }));

  it("let an undo and a restore of the view leave the private directory alone", () =>
    inWorkspace(async (all) => {
      const view = all.restrict(DENY).as({ actor: "alice" });
      const { version } = await all.snapshots.create("before");
      await view.fs.writeFile(`${W}/a.txt`, "a");
      const host = await run(all, LONG, "host");
      const own = await run(view, "seq 1 9999", "own");
      await view.snapshots.restore(version);
      expect(await view.fs.exists(`${W}/a.txt`)).toBe(false);
      for (const { output } of [host, own]) expect(await all.fs.exists(output?.path ?? "")).toBe(true);
      await view.fs.writeFile(`${W}/b.txt`, "b");
      await view.history.undo({ since: version });
      expect(await view.fs.exists(`${W}/b.txt`)).toBe(false);
      for (const { output } of [host, own]) expect(await all.fs.exists(output?.path ?? "")).toBe(true);
    }));

  it("are read by every view, whatever root they were started under", () =>
    inWorkspace(async (all) => {
      await all.fs.mkdir(`${W}/inner`);
      const inner = all.restrict({ root: `${W}/inner` }).as({ actor: "alice" });
      const { output } = await run(inner, "seq 1 9999", "narrow");
      expect(output?.path).toBe(`${W}/inner/.workspace/exec/narrow.log`);
      expect(await inner.fs.readFile(output?.path ?? "", "utf8")).toContain("9999");
      await using found = await all.shell.get("narrow", { encoding: "utf8" });
      expect((await found.result()).stdout).toContain("9999");
      await expectUnreachable(all.restrict({ root: `${W}/inner` }).as({ actor: "bob" }), "narrow", output?.path);
    }));

  it("are hidden in the past, where an id may have had another owner", () =>
    inWorkspace(async (all) => {
      const bob = all.restrict(DENY).as({ actor: "bob" });
      const { output } = await run(bob, "for i in $(seq 1 3000); do echo bobs-words; done", "shared");
      const { cursor } = await all.fs.changes();
      await bob.shell.remove("shared");
      const alice = all.restrict(DENY).as({ actor: "alice" });
      await run(alice, "seq 1 9999", "shared");
      expect(await alice.fs.readFile(output?.path ?? "", "utf8")).toContain("9999");
      expect(await code(alice.at(cursor).fs.readFile(output?.path ?? ""))).toBe("ENOENT");
      expect(JSON.stringify(await alice.history.diff({ from: cursor, patches: true }))).not.toContain("bobs-words");
    }));
});

describe("the same over RPC", () => {
  it("holds every verb that takes an id, and the files", async () => {
    const all = getWorkspace(env.WORKSPACE, "executions");
    await all.fs.writeFile(`${W}/.env`, `${SECRET}\n`);
    const host = await run(all, LONG, "host");
    const alice = all.as({ actor: "alice" }).restrict(DENY);
    const own = await run(alice, "seq 1 9999", "own");
    const bob = all.restrict(DENY).as({ actor: "bob" });
    await expectUnreachable(bob, "host", host.output?.path);
    await expectUnreachable(bob, "own", own.output?.path);
    await expectUnreachable(alice, "host", host.output?.path);
    expect(await alice.fs.readFile(own.output?.path ?? "", "utf8")).toContain("9999");

    const stub = env.WORKSPACE.getByName("executions");
    const calls: [string, unknown[]][] = [
      ["shellGet", ["own"]],
      ["shellEvents", ["own", "full", 0]],
      ["shellResult", ["own", 0, "utf8"]],
      ["shellKill", ["own", "SIGKILL"]],
      ["shellWrite", ["own", new Uint8Array([1])]],
      ["shellCloseStdin", ["own"]],
      ["shellRemove", ["own"]],
    ];
    for (const [verb, args] of calls)
      expect(await stub.workspaceRpc({ verb, args, actor: "bob", policies: [DENY] })).toMatchObject({
        error: { code: "ENOENT" },
      });
    expect(await ids(alice)).toEqual(expect.arrayContaining(["own"]));
  });
});

describe("toolState of a restricted view", () => {
  it("shows no hidden contents and no calls of others, and turns no tool on", () =>
    inWorkspace(async (all) => {
      const content = new TextEncoder().encode(SECRET);
      await all[internals].toolState.propose("bob", [
        { path: `${W}/.env`, content, base: null },
        { path: `${W}/a.txt`, content: null, base: null },
      ]);
      await all[internals].toolState.keepSnapshots("c1", [{ path: `${W}/.env`, content }]);
      const call = { callId: "c", tool: "read", outcome: "success", code: "", durationMs: 1, input: "{}" } as const;
      await all[internals].toolState.audit({ ...call, timeMs: 1, actor: "bob" });
      await all[internals].toolState.audit({ ...call, timeMs: 2, actor: "alice/agent" });
      const { toolState } = all.restrict(DENY).as({ actor: "alice" })[internals];
      expect((await toolState.proposals("bob")).map(({ path }) => path)).toEqual([`${W}/a.txt`]);
      expect(await toolState.snapshots("c1")).toEqual([]);
      expect((await toolState.auditLog()).map(({ actor }) => actor)).toEqual(["alice/agent"]);
      expect(await code(toolState.saveDisabledTools([]))).toBe("EACCES");
      const stub = env.WORKSPACE.getByName("tool state");
      expect(await stub.workspaceRpc({ verb: "tools.saveDisabledTools", args: [[]], policies: [DENY] })).toMatchObject({
        error: { code: "EACCES" },
      });
    }));
});
