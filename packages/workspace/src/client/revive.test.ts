import { FsError } from "@workspace/vfs";
import { describe, expect, it } from "vitest";
import { toWireError } from "../server/wire-error.ts";
import { reviveDirent, reviveError, reviveStat } from "./revive.ts";
import { WorkspaceRpcError } from "./rpc-error.ts";

const overTheWire = (error: unknown) => reviveError("stat", structuredClone(toWireError(error)));

describe("reviveError", () => {
  it.each([
    new FsError("ENOENT", { syscall: "open", path: "/a" }),
    new FsError("EEXIST", { syscall: "rename", path: "/a", dest: "/b" }),
    new FsError("EINVAL", { syscall: "read", reason: "not a range, at all" }),
    new FsError("EGONE", { syscall: "changes", path: "x.1", oldest: "x.5", reason: "too old" }),
    new FsError("EAGAIN"),
    new FsError("EIO", { reason: "odd: it's, open 'x'" }),
  ])("reviveError rebuilds %s with its class, fields and message", (error) => {
    const revived = overTheWire(error);
    expect(revived).toBeInstanceOf(FsError);
    expect(revived.message).toBe(error.message);
    expect({ ...revived }).toEqual({ ...error });
    expect(revived.stack).toContain(error.message);
  });

  it("reviveError keeps the message and name of an error it does not know", () => {
    const revived = overTheWire(new RangeError("too far"));
    expect(revived).toBeInstanceOf(WorkspaceRpcError);
    expect(revived).toMatchObject({
      message: "too far",
      code: "ERR_WORKSPACE_REMOTE",
      remote: true,
      retryable: false,
      verb: "stat",
    });
    expect(revived.cause).toMatchObject({ name: "RangeError" });
    expect(overTheWire("thrown text")).toMatchObject({ message: "thrown text" });
  });

  it("reviveError does not take a foreign error's code for one of the file system's", () => {
    expect(reviveError("stat", { message: "m", code: "EWHATEVER" })).toBeInstanceOf(WorkspaceRpcError);
  });
});

describe("reviveStat", () => {
  const plain = { mode: 0o100644, size: 3, ino: 7, nlink: 1, version: "e.1", contentVersion: "e.1" };
  const times = { mtimeMs: 1.5, ctimeMs: 2, birthtimeMs: 3 };

  it("reviveStat gives the dates and the questions back", () => {
    const stat = reviveStat({ type: "file", ...plain, ...times });
    expect(stat).toMatchObject({ type: "file", ...plain, ...times });
    expect([stat.mtime, stat.ctime, stat.birthtime, stat.atime].map(Number)).toEqual([1, 2, 3, 1]);
    expect([stat.isFile(), stat.isDirectory(), stat.isSymbolicLink(), stat.isSocket()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("reviveDirent knows its type", () => {
    const entry = reviveDirent({ name: "l", parentPath: "/workspace", type: "symlink" });
    expect([entry.isFile(), entry.isDirectory(), entry.isSymbolicLink(), entry.isFIFO()]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });
});
