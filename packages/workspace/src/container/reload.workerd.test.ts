/** A command in the container that outlives the object which started it. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace } from "@cloudflare/workspace";
import { createShell } from "@cloudflare/workspace/shell";
import { createGit } from "@workspace/git";
import { DaemonFixture } from "@workspace/testing/daemon-fixture";
import { describe, expect, it } from "vitest";

describe("a command that runs while the object is reloaded", () => {
  it.each([
    ["named by the shell", {}, undefined],
    ["named by the caller", { callId: "mine", actor: "agent" }, "mine"],
  ])("logs its changes under the call that its result reports, %s", async (title, identity, given) => {
    await using lab = await DaemonFixture.start();
    const stub = () => env.BARE.getByName(`reload ${title}`);
    const open = (storage: DurableObjectStorage) =>
      new Workspace({ storage, sandbox: lab.sandbox, shell: createShell, git: createGit }).as(identity);
    const id = await runInDurableObject(stub(), async (_, { storage }) => {
      const handle = await open(storage).shell.exec(
        "echo begun > begun; until [ -e go ]; do sleep 0.02; done; echo made > made",
      );
      return handle.id;
    });
    // While a command runs the object is not evicted by itself: it is taken away.
    await runInDurableObject(stub(), (_, state) => state.abort()).catch(() => {});
    await runInDurableObject(stub(), async (_, { storage }) => {
      const ws = open(storage);
      const handle = await ws.shell.get(id);
      await ws.as({ callId: "else" }).fs.writeFile("/workspace/go", "");
      const result = await handle.result();
      expect(result).toMatchObject({ state: "exited", exitCode: 0, callId: given ?? `exec-${id}` });
      expect(result.changed).toEqual(["/workspace/begun", "/workspace/made"]);
      const { entries } = await ws.history.log({ path: "/workspace/made" });
      expect(entries[0]).toMatchObject({ callId: result.callId, ...("actor" in identity ? { actor: "agent" } : {}) });
      expect((await ws.history.undo({ callId: result.callId })).conflicts).toEqual([]);
      expect(await ws.fs.readdir("/workspace")).not.toContain("made");
    });
  });
});
