/**
 * A file handle whose file is in another object. Reads and writes go in messages of a bounded size. Closing makes what was
 * written visible, as with any handle; a handle that is dropped (its client disposed, its Worker gone) leaves what it did not
 * sync behind.
 */
import { RPC_LIMITS, type WireStat } from "@workspace/protocol";
import {
  decodeText,
  encodeText,
  encodingOf,
  type FileHandle,
  type FileStat,
  FsError,
  type TextEncodingName,
  type Time,
} from "@workspace/vfs";
import type { Answer, Connection } from "./connection.ts";
import { takeBytes } from "./incoming.ts";
import { asBytes, ownBytes } from "./outgoing.ts";
import { reviveStat } from "./revive.ts";

type Encoded = TextEncodingName | { encoding: TextEncodingName };

export class RemoteFileHandle implements FileHandle, Disposable {
  readonly #connection: Connection;
  readonly #path: string;
  #answer: Answer | undefined;

  constructor(connection: Connection, answer: Answer, path: string) {
    this.#connection = connection;
    this.#answer = answer;
    this.#path = path;
    connection.keep(this);
  }

  async read(buffer: Uint8Array, offset = 0, length = buffer.byteLength - offset, position: number | null = null) {
    this.#checkWindow("read", buffer, offset, length);
    let bytesRead = 0;
    for (;;) {
      const wanted = Math.min(length - bytesRead, RPC_LIMITS.handleBytes);
      const { value } = await this.#call("read", wanted, position === null ? null : position + bytesRead);
      buffer.set(value as Uint8Array, offset + bytesRead);
      bytesRead += (value as Uint8Array).length;
      if ((value as Uint8Array).length < wanted || bytesRead >= length) return { bytesRead, buffer };
    }
  }

  /** Node's two shapes: `write(bytes, offset, length, position)` and `write(text, position, encoding)`. */
  async write(
    data: Uint8Array | string,
    offset?: number | null,
    length?: number | TextEncodingName | null,
    position: number | null = null,
  ) {
    if (typeof data === "string") {
      const bytes = encodeText(data, typeof length === "string" ? length : undefined, "write", this.#path);
      return { bytesWritten: await this.#write(bytes, offset ?? null) };
    }
    const bytes = this.#bytes(data);
    const start = offset ?? 0;
    const size = typeof length === "number" ? length : bytes.byteLength - start;
    this.#checkWindow("write", bytes, start, size);
    return { bytesWritten: await this.#write(bytes.subarray(start, start + size), position) };
  }

  readFile(encoding: Encoded): Promise<string>;
  readFile(options?: { encoding?: null } | null): Promise<Uint8Array>;
  async readFile(options?: Encoded | { encoding?: null } | null): Promise<Uint8Array | string> {
    const encoding = encodingOf(options, "read", this.#path);
    const bytes = await takeBytes(this.#connection, "read", await this.#call("readFile"));
    return encoding === undefined ? bytes : decodeText(bytes, encoding, "read", this.#path);
  }

  async writeFile(content: string | Uint8Array): Promise<void> {
    await this.#pour("writeFile", this.#bytes(content));
  }

  async appendFile(content: string | Uint8Array): Promise<void> {
    await this.#pour("appendFile", this.#bytes(content));
  }

  async truncate(length?: number): Promise<void> {
    await this.#call("truncate", length);
  }

  async stat(): Promise<FileStat> {
    return reviveStat((await this.#call("stat")).value as WireStat);
  }

  async chmod(mode: number): Promise<void> {
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

  /** Lets go of the handle without closing it: what was not synced is dropped. */
  [Symbol.dispose](): void {
    this.#connection.drop(this);
    this.#answer?.[Symbol.dispose]?.();
    this.#answer = undefined;
  }

  async #write(bytes: Uint8Array, position: number | null): Promise<number> {
    let written = 0;
    do {
      const piece = ownBytes(bytes.subarray(written, written + RPC_LIMITS.handleBytes));
      await this.#call("write", piece, position === null ? null : position + written);
      written += piece.length;
    } while (written < bytes.length);
    return written;
  }

  /** A handle writes on from where it is, so all but the first message are plain writes. */
  async #pour(op: "writeFile" | "appendFile", bytes: Uint8Array): Promise<void> {
    await this.#call(op, ownBytes(bytes.subarray(0, RPC_LIMITS.handleBytes)));
    if (bytes.length > RPC_LIMITS.handleBytes) await this.#write(bytes.subarray(RPC_LIMITS.handleBytes), null);
  }

  #bytes(data: string | Uint8Array): Uint8Array {
    const bytes = typeof data === "string" ? encodeText(data, "utf8", "write", this.#path) : asBytes(data);
    if (bytes !== null) return bytes;
    throw new FsError("EINVAL", { syscall: "write", path: this.#path, reason: "data must be text or bytes" });
  }

  #checkWindow(syscall: string, buffer: Uint8Array, offset: number, length: number): void {
    const fits = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
    if (fits && offset + length <= buffer.byteLength) return;
    throw new FsError("EINVAL", { syscall, path: this.#path, reason: "offset and length do not fit the buffer" });
  }

  async #call(op: string, ...args: unknown[]): Promise<Answer> {
    const target = this.#answer?.target;
    if (target === undefined) throw new FsError("EBADF", { syscall: SYSCALLS[op] ?? op, path: this.#path });
    return this.#connection.callTarget(target, op, op, args);
  }
}

/** What a closed handle says it could not do, where the method has another name. */
const SYSCALLS: Record<string, string> = {
  appendFile: "writeFile",
  truncate: "ftruncate",
  stat: "fstat",
  chmod: "fchmod",
  utimes: "futimes",
  sync: "fsync",
  datasync: "fdatasync",
};
