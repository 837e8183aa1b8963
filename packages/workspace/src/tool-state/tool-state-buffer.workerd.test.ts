/** The notes of the tools: in order, bounded, and not lost when a host transaction rolls back. */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { AuditRecord } from "@workspace/protocol";
import { internals } from "@workspace/protocol";
import { expect, it } from "vitest";
import type { Workspace } from "../workspace.ts";
import { selectAudit } from "./store/tool-rows.ts";
import { type PendingOptions, ToolStateBuffer } from "./tool-state-buffer.ts";

interface Inside {
  workspace: Workspace;
  storage: DurableObjectStorage;
  rows(options?: PendingOptions): ToolStateBuffer;
  /** Call ids in the log, the newest first. */
  logged(before?: number, limit?: number): string[];
}

let created = 0;

function inObject(body: (inside: Inside) => Promise<void>): Promise<void> {
  return runInDurableObject(env.WORKSPACE.getByName(`notes ${created++}`), async (object, { storage }) => {
    const { workspace } = object as unknown as { workspace: Workspace };
    await workspace.fs.stat("/");
    const { db } = workspace[internals].volume.store;
    await body({
      ...{ workspace, storage },
      rows: (options) => new ToolStateBuffer(workspace[internals].volume.store, { random: () => 0, ...options }),
      logged: (before = Number.MAX_SAFE_INTEGER, limit = 1000) =>
        selectAudit(db, before, limit).map(({ callId }) => callId),
    });
  });
}

const record = (callId: string | number): AuditRecord => ({
  ...{ timeMs: 1, actor: "agent", tool: "read", outcome: "success", code: "", durationMs: 0, input: "{}" },
  callId: String(callId),
});
const seen = (version: string) => ({ version, contentVersion: version });

it("records of one turn are one row, and a page of them starts and ends anywhere", () =>
  inObject(async ({ rows, storage, workspace, logged }) => {
    const pending = rows();
    for (const batch of [[1], [2, 3, 4], [5], [6, 7, 8, 9, 10]]) {
      for (const id of batch) pending.audit(record(id));
      pending.flush();
    }
    expect(storage.sql.exec("SELECT count(*) AS n FROM ws_tool_audit").one().n).toBe(4);
    expect(logged()).toEqual(["10", "9", "8", "7", "6", "5", "4", "3", "2", "1"]);
    const all = selectAudit(workspace[internals].volume.store.db, Number.MAX_SAFE_INTEGER, 100);
    expect(all.map(({ id }) => id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(all[0]).toEqual({ ...record(10), id: 10 });
    for (let before = 1; before <= 11; before++)
      for (let limit = 1; limit <= 11; limit++) {
        const expected = all.filter(({ id }) => id < before).slice(0, limit);
        expect(logged(before, limit), `${before} ${limit}`).toEqual(expected.map(({ callId }) => callId));
      }
  }));

it("a log of many rows is read to the page's end", () =>
  inObject(async ({ rows, logged }) => {
    const pending = rows();
    for (let i = 1; i <= 90; i++) {
      pending.audit(record(i));
      pending.flush();
    }
    expect(logged(61, 50)).toEqual(Array.from({ length: 50 }, (_, i) => String(60 - i)));
  }));

it("the audit log keeps 10 000 records", () =>
  inObject(async ({ rows, logged, storage }) => {
    const pending = rows();
    for (let i = 1; i <= 12_000; i++) pending.audit(record(i));
    pending.flush();
    const count = logged(Number.MAX_SAFE_INTEGER, 20_000).length;
    expect([count >= 10_000, count < 10_700, logged(Number.MAX_SAFE_INTEGER, 1)]).toEqual([true, true, ["12000"]]);
    expect(storage.sql.exec("SELECT count(*) AS n FROM ws_tool_audit").one().n).toBeLessThan(110);
  }));

it("versions seen are bounded: those seen last stay", () =>
  inObject(async ({ rows, storage }) => {
    const pending = rows({ maxReadRows: 50, seenSlack: 100 });
    const version = (i: number) => `0123456789ab.${i.toString(36)}`;
    for (let i = 1; i <= 99; i++) pending.remember("agent", `/f${i}`, seen(version(i)));
    pending.flush();
    const paths = () => storage.sql.exec<{ path: string }>("SELECT path FROM ws_tool_read").toArray();
    expect(paths().length).toBe(99);
    pending.remember("agent", "/f1", seen(version(100)));
    pending.flush();
    expect(paths().length).toBe(50);
    // Forgotten in memory too: a file that was trimmed is unread, one that stayed is known.
    expect(pending.seen("agent", "/f2")).toBeUndefined();
    expect(pending.seen("agent", "/f1")).toEqual(seen(version(100)));
    expect(pending.seen("agent", "/f99")).toEqual(seen(version(99)));
  }));

it("where counting to the next trim starts is chance, so that a short life trims too", () =>
  inObject(async ({ rows, storage }) => {
    const pending = rows({ maxReadRows: 5, seenSlack: 100, random: () => 0.95 });
    for (let i = 1; i <= 10; i++) pending.remember("agent", `/f${i}`, seen(`0123456789ab.${i}`));
    pending.flush();
    expect(storage.sql.exec("SELECT count(*) AS n FROM ws_tool_read").one().n).toBe(5);
  }));

it("notes written inside a transaction of the host outlive its rollback", () =>
  inObject(async ({ rows, storage, logged, workspace }) => {
    const pending = rows();
    pending.audit(record("before"));
    await steps(100);
    await expect(
      storage.transaction(async () => {
        pending.audit(record("inside"));
        pending.remember("agent", "/f", seen("a"));
        pending.flush();
        expect(logged()).toEqual(["inside", "before"]);
        throw new Error("the host changed its mind");
      }),
    ).rejects.toThrow("changed its mind");
    expect(logged()).toEqual(["before"]);
    pending.flush();
    expect(logged()).toEqual(["inside", "before"]);
    expect(rows().seen("agent", "/f")).toEqual(seen("a"));
    // And once only.
    await workspace.fs.writeFile("/workspace/x", "x");
    pending.audit(record("after"));
    pending.flush();
    expect(logged()).toEqual(["after", "inside", "before"]);
  }));

it("a transaction that is kept writes its notes once", () =>
  inObject(async ({ rows, storage, logged }) => {
    const pending = rows();
    await storage.transaction(async () => {
      pending.audit(record("inside"));
      pending.flush();
    });
    pending.audit(record("after"));
    pending.flush();
    await expect(
      storage.transaction(async () => {
        throw new Error("another one");
      }),
    ).rejects.toThrow();
    pending.audit(record("last"));
    pending.flush();
    expect(logged()).toEqual(["last", "after", "inside"]);
  }));

it("what was only in memory is forgotten with a rollback: the table is asked again", () =>
  inObject(async ({ rows, storage }) => {
    const pending = rows();
    pending.remember("agent", "/f", seen("old"));
    pending.flush();
    storage.sql.exec("UPDATE ws_tool_read SET version = 'new', content_version = 'new'");
    expect(pending.seen("agent", "/f")).toEqual(seen("old"));
    await expect(
      storage.transaction(async () => {
        throw new Error("rolled back");
      }),
    ).rejects.toThrow();
    expect(pending.seen("agent", "/f")).toEqual(seen("new"));
  }));

/** Steps of promises alone: the object's turn goes on, and no timer runs. */
async function steps(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await null;
}

const rowsOf = (storage: DurableObjectStorage) => storage.sql.exec("SELECT count(*) AS n FROM ws_tool_audit").one().n;

it("a change and the record of its call are written in one turn", () =>
  inObject(async ({ rows, storage, workspace }) => {
    const pending = rows();
    pending.audit(record("first"));
    pending.flush();
    let turns = 0;
    setTimeout(() => turns++, 0);
    await workspace.fs.writeFile("/workspace/x", "x");
    pending.remember("agent", "/workspace/x", seen("a"));
    pending.audit(record("write"));
    // Calls that follow at once share the statement.
    await steps(20);
    pending.audit(record("next"));
    expect(rowsOf(storage)).toBe(1);
    await steps(60);
    expect([turns, rowsOf(storage)]).toEqual([0, 2]);
    expect(storage.sql.exec("SELECT path FROM ws_tool_read").toArray()).toEqual([{ path: "/workspace/x" }]);
  }));

it("records of calls that changed nothing wait for others, and versions that were seen for the turn's end", () =>
  inObject(async ({ rows, storage }) => {
    const pending = rows();
    pending.audit(record("first"));
    await steps(100);
    pending.audit(record("read"));
    await steps(100);
    await new Promise((resolve) => setTimeout(resolve, 5));
    pending.audit(record("another"));
    expect(rowsOf(storage)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(rowsOf(storage)).toBe(2);
    pending.audit(record("read"));
    pending.remember("agent", "/f", seen("a"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(rowsOf(storage)).toBe(3);
  }));

it("what cannot be written stays pending, and is written with the next note", () =>
  inObject(async ({ rows, storage, workspace, logged }) => {
    await workspace.fs.writeFile("/workspace/x", "x");
    const pending = rows();
    storage.sql.exec("ALTER TABLE ws_tool_audit RENAME TO elsewhere");
    await workspace.fs.writeFile("/workspace/x", "x");
    pending.audit(record("one"));
    await steps(100);
    storage.sql.exec("ALTER TABLE elsewhere RENAME TO ws_tool_audit");
    expect(logged()).toEqual([]);
    pending.audit(record("two"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(logged()).toEqual(["two", "one"]);
  }));

it("an object that ends in the turn of a change keeps neither the change nor its record", async () => {
  const name = `notes ${created++}`;
  const inside = <T>(body: (workspace: Workspace, state: DurableObjectState) => Promise<T>) =>
    runInDurableObject(env.WORKSPACE.getByName(name), (object, state) =>
      body((object as unknown as { workspace: Workspace }).workspace, state),
    );
  await inside((workspace) => workspace.fs.writeFile("/workspace/before", ""));
  const ended = inside(async (workspace, state) => {
    await workspace.fs.writeFile("/workspace/x", "x");
    workspace[internals].toolState.audit(record("write"));
    await steps(100);
    expect(rowsOf(state.storage)).toBe(1);
    state.abort("in the middle of the turn");
  });
  await expect(ended).rejects.toThrow("in the middle of the turn");
  const left = await inside(async (workspace, { storage }) => [
    await workspace.fs.readdir("/workspace"),
    rowsOf(storage),
  ]);
  expect(left).toEqual([["before"], 0]);
});
