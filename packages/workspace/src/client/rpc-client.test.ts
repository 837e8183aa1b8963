import type { WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { RpcClient, StubHolder } from "./rpc-client.ts";

type Reply = WorkspaceReply | Error;

/** A line whose stubs answer with `replies` in turn; a stub that threw once throws for ever, as the platform's do. */
function line(...replies: Reply[]) {
  const calls: WorkspaceCall[] = [];
  let stubs = 0;
  const created = new StubHolder(() => {
    let broken: Error | undefined;
    stubs++;
    return {
      async workspaceRpc(call: WorkspaceCall) {
        calls.push(call);
        if (broken) throw broken;
        const reply = replies.shift() ?? {};
        if (reply instanceof Error) broken = reply;
        if (broken) throw broken;
        return reply as WorkspaceReply;
      },
    };
  });
  return { calls, stubs: () => stubs, connection: new RpcClient(created, { actor: "svc" }) };
}

const resource = () => {
  const created = { disposed: 0, [Symbol.dispose]: () => void created.disposed++ };
  return created;
};

describe("Connection", () => {
  it("Connection sends verb, arguments and identity in one call", async () => {
    const { calls, connection } = line({ value: 5 });
    expect(await connection.call("stat", ["/a"])).toEqual({ value: 5 });
    expect(calls).toEqual([{ verb: "stat", args: ["/a"], actor: "svc" }]);
  });

  it.each([
    [{ retryable: true }, { retryable: true, overloaded: false, remote: false }],
    [
      { overloaded: true, retryable: false },
      { retryable: false, overloaded: true, remote: false },
    ],
    [{ remote: true }, { retryable: false, overloaded: false, remote: true }],
    [{}, { retryable: false, overloaded: false, remote: false }],
  ])(
    "Connection keeps the platform's flags %j, repeats nothing, and takes a new stub for the next call",
    async (flags, expected) => {
      const cause = Object.assign(new Error("Network connection lost."), flags);
      const { calls, stubs, connection } = line(cause, { value: 1 });
      const error = await connection.call("writeFile", []).catch((thrown) => thrown);
      expect(error).toMatchObject({
        code: "ERR_WORKSPACE_TRANSPORT",
        verb: "writeFile",
        message: "Network connection lost.",
        cause,
        ...expected,
      });
      expect([calls.length, stubs()]).toEqual([1, 1]);
      expect(await connection.call("stat", [])).toEqual({ value: 1 });
      expect([calls.length, stubs()]).toEqual([2, 2]);
    },
  );

  it("Connection keeps its stub after an error of the file system", async () => {
    const { stubs, connection } = line({ error: { code: "ENOENT", message: "ENOENT: no such file or directory" } });
    await expect(connection.call("stat", [])).rejects.toMatchObject({ name: "FsError", code: "ENOENT" });
    await connection.call("stat", []);
    expect(stubs()).toBe(1);
  });

  it("Connection tells an argument that cannot be cloned from a lost call", async () => {
    const clone = Object.assign(new Error("could not be cloned"), { name: "DataCloneError" });
    const { stubs, connection } = line(clone);
    await expect(connection.call("stat", [])).rejects.toMatchObject({ code: "EINVAL" });
    await connection.call("stat", []).catch(() => {});
    expect(stubs()).toBe(1);
  });

  it("Connection disposes what is open, also in its views, once", () => {
    const { connection } = line();
    const view = connection.view({});
    const [own, viewed, dropped] = [resource(), resource(), resource()];
    connection.keep(own);
    view.keep(viewed);
    connection.keep(dropped);
    connection.drop(dropped);
    connection[Symbol.dispose]();
    connection[Symbol.dispose]();
    expect([own.disposed, viewed.disposed, dropped.disposed]).toEqual([1, 1, 0]);
    const late = resource();
    view.keep(late);
    expect(late.disposed).toBe(1);
  });

  it("Connection does not remember views that hold nothing", () => {
    const { connection } = line();
    for (let i = 0; i < 100; i++) connection.view({ callId: `${i}` });
    const view = connection.view({});
    const held = resource();
    view.keep(held);
    expect(connection.held).toBe(1);
    view.drop(held);
    expect(connection.held).toBe(0);
  });

  it("Connection refuses calls once it or the client it is a view of is disposed", async () => {
    const { calls, connection } = line();
    const view = connection.view({});
    connection[Symbol.dispose]();
    for (const closed of [connection, view])
      await expect(closed.call("stat", [])).rejects.toMatchObject({ code: "ERR_WORKSPACE_DISPOSED" });
    expect(calls).toEqual([]);
  });
});
