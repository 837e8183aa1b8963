/**
 * An open file by its descriptor, with synchronous calls as everywhere here. Writes are visible at once. It has only the calls
 * that git makes.
 */
import * as node from "node:fs";
import type { FileHandle, Mode, TextEncodingName, Time } from "@workspace/vfs";
import { NodeStat } from "./node-stat.ts";

export class NodeFileHandle implements Pick<FileHandle, "truncate" | "stat" | "chmod" | "sync" | "close"> {
  #descriptor: number | null;

  constructor(path: string, flags: string, mode: number | undefined) {
    this.#descriptor = node.openSync(path, flags, mode);
  }

  async read(buffer: Uint8Array, offset = 0, length = buffer.byteLength - offset, position: number | null = null) {
    return { bytesRead: node.readSync(this.#fd, buffer, offset, length, position), buffer };
  }

  async write(data: Uint8Array | string, offset?: number, length?: number, position?: number | null) {
    if (typeof data === "string") return { bytesWritten: node.writeSync(this.#fd, data, offset) };
    return { bytesWritten: writeAll(this.#fd, data, offset ?? 0, length, position ?? null) };
  }

  readFile(encoding: TextEncodingName | { encoding: TextEncodingName }): Promise<string>;
  readFile(options?: { encoding?: null } | null): Promise<Uint8Array>;
  async readFile(options?: unknown): Promise<never> {
    return node.readFileSync(this.#fd, options as "utf8") as never;
  }

  async writeFile(content: string | Uint8Array): Promise<void> {
    node.writeFileSync(this.#fd, content);
  }
  async appendFile(content: string | Uint8Array): Promise<void> {
    node.appendFileSync(this.#fd, content);
  }
  async truncate(length = 0): Promise<void> {
    node.ftruncateSync(this.#fd, length);
  }
  async stat(): Promise<NodeStat> {
    return new NodeStat(node.fstatSync(this.#fd));
  }
  async chmod(mode: Mode): Promise<void> {
    node.fchmodSync(this.#fd, mode);
  }
  async utimes(atime: Time, mtime: Time): Promise<void> {
    node.futimesSync(this.#fd, atime, mtime);
  }
  async sync(): Promise<void> {
    node.fsyncSync(this.#fd);
  }
  async datasync(): Promise<void> {
    node.fdatasyncSync(this.#fd);
  }
  async close(): Promise<void> {
    if (this.#descriptor === null) return;
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    node.closeSync(descriptor);
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #fd(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    throw Object.assign(new Error("EBADF: file closed"), { code: "EBADF", syscall: "read" });
  }
}

/** A write may be partial. */
export function writeAll(
  descriptor: number,
  data: Uint8Array,
  offset = 0,
  length = data.byteLength - offset,
  position: number | null = null,
): number {
  let written = 0;
  while (written < length) {
    const at = position === null ? null : position + written;
    written += node.writeSync(descriptor, data, offset + written, length - written, at);
  }
  return written;
}
