/**
 * A handle of a file in another object. Reads and writes are split into messages of a bounded size. Closing makes writes visible,
 * as with any handle; a dropped handle (its client disposed, its Worker gone) loses what it did not sync.
 */
import { ownBytes, RPC_LIMITS, type WireStat } from "@workspace/protocol";
import { type FileStat, FsError, HandleCalls, type Mode, type Time } from "@workspace/vfs";
import { takeBytes } from "./incoming.ts";
import { reviveStat } from "./revive.ts";
import type { RpcClient, RpcResult } from "./rpc-client.ts";

export class RemoteFileHandle extends HandleCalls implements Disposable {
  protected readonly path: string;
  readonly #connection: RpcClient;
  #answer: RpcResult | undefined;

  constructor(connection: RpcClient, answer: RpcResult, path: string) {
    super();
    this.#connection = connection;
    this.#answer = answer;
    this.path = path;
    connection.keep(this);
  }

  protected async readBytes(into: Uint8Array, position: number | null): Promise<number> {
    let bytesRead = 0;
    for (;;) {
      const wanted = Math.min(into.length - bytesRead, RPC_LIMITS.handleBytes);
      const { value } = await this.#call("read", wanted, position === null ? null : position + bytesRead);
      into.set(value as Uint8Array, bytesRead);
      bytesRead += (value as Uint8Array).length;
      if ((value as Uint8Array).length < wanted || bytesRead >= into.length) return bytesRead;
    }
  }

  protected async writeBytes(bytes: Uint8Array, position: number | null): Promise<void> {
    let written = 0;
    do {
      const piece = ownBytes(bytes.subarray(written, written + RPC_LIMITS.handleBytes));
      await this.#call("write", piece, position === null ? null : position + written);
      written += piece.length;
    } while (written < bytes.length);
  }

  protected async readRest(): Promise<Uint8Array> {
    return takeBytes(this.#connection, "read", await this.#call("readFile"));
  }

  protected async readStat(): Promise<FileStat> {
    return reviveStat((await this.#call("stat")).value as WireStat);
  }

  protected checkOpen(syscall: string): void {
    if (this.#answer === undefined) throw new FsError("EBADF", { syscall, path: this.path });
  }

  async truncate(length?: number): Promise<void> {
    await this.#call("truncate", length);
  }

  async chmod(mode: Mode): Promise<void> {
    await this.#call("chmod", mode);
  }

  async utimes(atime: Time, mtime: Time): Promise<void> {
    await this.#call("utimes", atime, mtime);
  }

  async sync(): Promise<void> {
    await this.#call("sync");
  }

  async datasync(): Promise<void> {
    await this.#call("datasync");
  }

  /** Closing again does nothing, as in Node. */
  async close(): Promise<void> {
    if (this.#answer === undefined) return;
    try {
      await this.#call("close");
    } finally {
      this[Symbol.dispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Releases the handle without closing it: unsynced writes are dropped. */
  [Symbol.dispose](): void {
    this.#connection.drop(this);
    this.#answer?.[Symbol.dispose]?.();
    this.#answer = undefined;
  }

  async #call(op: string, ...args: unknown[]): Promise<RpcResult> {
    const target = this.#answer?.target;
    if (target === undefined) throw new FsError("EBADF", { syscall: SYSCALLS[op] ?? op, path: this.path });
    return this.#connection.callTarget(target, op, op, args);
  }
}

/** The syscall in a closed handle's error, where the method has another name. */
const SYSCALLS: Record<string, string> = {
  truncate: "ftruncate",
  stat: "fstat",
  chmod: "fchmod",
  utimes: "futimes",
  sync: "fsync",
  datasync: "fdatasync",
};
