/** Undo: by whom, with which conflicts, and the actor's read state afterwards. */

import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { getWorkspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";
import { createToolset } from "../toolset/create-toolset.ts";

describe("undo", () => {
  it("after an undo a file is unread: it may be written, and an edit is made against what is there", () =>
    inWorkspace(
      async ({ fs, call, refused }) => {
        await call("read", { path: "f" });
        const { callId } = await call("edit", { path: "f", oldString: "one", newString: "two" });
        await call("undo", { callId });
        expect(await refused("edit", { path: "f", oldString: "two", newString: "three" })).toBe("NO_MATCH");
        await call("edit", { path: "f", oldString: "one", newString: "four" });
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("four\n");
        expect(await refused("undo", { callId })).toBe("UNDO_FAILED");
      },
      {},
      { f: "one\n" },
    ));

  it("an undo by another actor is a change by another actor", () =>
    inWorkspace(
      async ({ more, call, refused }) => {
        const { callId } = await call("write", { path: "f", content: "mine\n" });
        await call("read", { path: "f" });
        unwrap(await (await more({ actor: "other" })).handle("undo", { callId }));
        expect(await refused("write", { path: "f", content: "again\n" })).toBe("STALE");
      },
      {},
      { f: "one\n" },
    ));

  it("undo refuses where a later change touched the same, names it, and force gives that up", () =>
    inWorkspace(
      async ({ fs, toolset, call }) => {
        const { callId } = await call("write", { path: "f", content: "mine\n" });
        await fs.writeFile("/workspace/f", "theirs\n");
        const refusal = await toolset.handle("undo", { callId });
        expect(refusal.structured.error).toMatchObject({ code: "UNDO_FAILED", conflicts: [{ path: "/workspace/f" }] });
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("theirs\n");
        expect(await call("undo", { callId, force: true })).toMatchObject({ overridden: [{ path: "/workspace/f" }] });
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("one\n");
      },
      {},
      { f: "one\n" },
    ));

  it("undo of a commit says which objects it leaves, once a later call may refer to them", () =>
    inWorkspace(
      async ({ call }) => {
        await call("exec", { command: "git init -q && git add f && git commit -qm first" });
        const { callId } = await call("exec", { command: "echo two >> f && git add -A && git commit -qm second" });
        await call("exec", { command: "git tag v1" });
        expect(await call("undo", { callId })).toMatchObject({
          ok: true,
          kept: [{ path: "/workspace/.git/objects", files: 3 }],
        });
        expect(await call("exec", { command: "git log --all --topo-order --format=%s && git fsck" })).toMatchObject({
          exitCode: 0,
          stdout: "second\nfirst\n",
        });
      },
      {},
      { f: "one\n" },
    ));

  it("undo of a command that also wrote outside the root takes back what is inside", () =>
    inWorkspace(
      async ({ fs, workspace, call }) => {
        const { fs: named } = workspace.as({ actor: "agent", callId: "both" });
        await named.writeFile("/outside", "x");
        await named.writeFile("/workspace/f", "changed");
        expect(await call("undo", { callId: "both" })).toMatchObject({ total: 1, changes: [{ path: "/workspace/f" }] });
        expect([await fs.readFile("/workspace/f", "utf8"), await fs.readFile("/outside", "utf8")]).toEqual([
          "one\n",
          "x",
        ]);
      },
      {},
      { f: "one\n" },
    ));

  it("after a rollback of the host, a model's outdated read overwrites no change", () =>
    inWorkspace(
      async ({ fs, workspace, storage, call, refused }) => {
        await call("read", { path: "f" });
        await expect(
          storage.transaction(async () => {
            await call("write", { path: "f", content: "never was\n" });
            throw new Error("the host changed its mind");
          }),
        ).rejects.toThrow("changed its mind");
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("one\n");
        // The revision of the lost write is assigned again, to another actor.
        await workspace.as({ actor: "other" }).fs.writeFile("/workspace/f", "theirs\n");
        expect(await refused("write", { path: "f", content: "mine\n" })).toBe("STALE");
        expect(await fs.readFile("/workspace/f", "utf8")).toBe("theirs\n");
        await call("read", { path: "f" });
        await call("write", { path: "f", content: "mine\n" });
        const audited = (await workspace[internals].toolState.auditLog({ limit: 10 })).map(
          ({ tool, code }) => `${tool} ${code}`,
        );
        expect(audited).toEqual(["write ", "read ", "write STALE", "write ", "read "]);
      },
      {},
      { f: "one\n" },
    ));

  it("undo works over the binding, also for a call of an object that has slept since", async () => {
    const stub = env.WORKSPACE.getByName("undo over the binding");
    using client = getWorkspace(stub);
    const toolset = await createToolset({ workspace: client, actor: "r" });
    unwrap(await toolset.handle("write", { path: "a", content: "one\n" }));
    const { callId } = unwrap(await toolset.handle("write", { path: "a", content: "two\n" }));
    await evictDurableObject(stub);
    using again = getWorkspace(stub);
    const later = await createToolset({ workspace: again, actor: "r" });
    expect(unwrap(await later.handle("undo", { callId }))).toMatchObject({
      undone: callId,
      total: 1,
      changes: [{ path: "/workspace/a", outcome: "write" }],
    });
    expect(await again.fs.readFile("/workspace/a", "utf8")).toBe("one\n");
    expect(codeOf(await later.handle("undo", { callId }))).toBe("UNDO_FAILED");
    await again.fs.writeFile("/workspace/a", "other\n");
    const conflict = await later.handle("write", { path: "a", content: "x\n" });
    expect(conflict.isError).toBeUndefined();
    const { callId: last } = conflict.structured as { callId: string };
    await again.fs.writeFile("/workspace/a", "later\n");
    const refusal = await later.handle("undo", { callId: last });
    expect(refusal.structured.error).toMatchObject({ code: "UNDO_FAILED", conflicts: [{ path: "/workspace/a" }] });
  });
});
