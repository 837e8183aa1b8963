/** A directory in another object, listed page by page: a page is one message, and the first came with `opendir`. */
import type { WireDirent, WireDirPage } from "@workspace/protocol";
import { type Dir, type Dirent, FsError } from "@workspace/vfs";
import { reviveDirent } from "./revive.ts";
import type { RpcClient, RpcResult } from "./rpc-client.ts";

export class RemoteDir implements Dir, Disposable {
  readonly path: string;
  readonly #connection: RpcClient;
  #answer: RpcResult | undefined;
  #page: readonly WireDirent[];
  #next = 0;
  #done: boolean;
  #closed = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(connection: RpcClient, answer: RpcResult) {
    const { path, entries, done } = answer.value as WireDirPage & { path: string };
    this.path = path;
    this.#connection = connection;
    this.#answer = answer;
    this.#page = entries;
    this.#done = done;
    connection.keep(this);
  }

  /** Sequential, however it is called: two concurrent reads must not fetch the same page. */
  read(): Promise<Dirent | null> {
    const read = this.#turn.then(() => this.#read());
    this.#turn = read.catch(() => {});
    return read;
  }

  async close(): Promise<void> {
    this.#check("close");
    this[Symbol.dispose]();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry;
    } finally {
      this[Symbol.dispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this[Symbol.dispose]();
  }

  /** The server closes its side when the stub is disposed. */
  [Symbol.dispose](): void {
    this.#closed = true;
    this.#connection.drop(this);
    this.#answer?.[Symbol.dispose]?.();
    this.#answer = undefined;
  }

  async #read(): Promise<Dirent | null> {
    this.#check("readdir");
    while (this.#next >= this.#page.length) {
      const target = this.#answer?.target;
      if (this.#done || target === undefined) return null;
      const { value } = await this.#connection.callTarget(target, "readdir", "read");
      const { entries, done } = value as WireDirPage;
      this.#page = entries;
      this.#next = 0;
      this.#done = done;
    }
    return reviveDirent(this.#page[this.#next++]!);
  }

  #check(syscall: string): void {
    if (this.#closed) throw new FsError("EBADF", { syscall, path: this.path, reason: "directory handle was closed" });
  }
}
