/**
 * All overloads of Node's `FileHandle`, built on a few abstract methods, for handles in this isolate and over RPC alike. Arguments
 * are checked here, before the file is accessed.
 */

import { FsError, throwIfAborted } from "../api/errors.ts";
import type {
  FileHandle,
  HandleContent,
  HandleFileOptions,
  HandleReadOptions,
  ReadLinesOptions,
} from "../api/file-handle.ts";
import type { FileStat, Mode, StatOptions, TextEncodingName, Time } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { decodeText, encodeText, encodingOf } from "../node-args/encoding.ts";
import { isOffset } from "../node-args/offset.ts";
import { readLines } from "./read-lines.ts";

/** The size of the buffer that `read` allocates if it gets none, as in Node; and of a stream's chunk. */
const DEFAULT_BUFFER = 16 * 1024;
const STREAM_CHUNK = 256 * 1024;

/** Position in the file; null: the handle's position, which then advances. */
export type Position = number | null;

export abstract class HandleCalls implements FileHandle {
  /** The path as it was opened, for errors. */
  protected abstract readonly path: string;
  /** Returns how many bytes of `into` were filled. */
  protected abstract readBytes(into: Uint8Array, position: Position): Promise<number>;
  protected abstract writeBytes(bytes: Uint8Array, position: Position): Promise<void>;
  /** From the handle's position to the end. */
  protected abstract readRest(): Promise<Uint8Array>;
  protected abstract readStat(): Promise<FileStat>;
  /** Throws EBADF when the handle is closed. */
  protected abstract checkOpen(syscall: string): void;

  abstract truncate(length?: number): Promise<void>;
  abstract chmod(mode: Mode): Promise<void>;
  abstract utimes(atime: Time, mtime: Time): Promise<void>;
  abstract sync(): Promise<void>;
  abstract datasync(): Promise<void>;
  abstract close(): Promise<void>;
  abstract [Symbol.asyncDispose](): Promise<void>;

  async read(
    first?: ArrayBufferView | (HandleReadOptions & { buffer?: ArrayBufferView }) | null,
    second?: number | HandleReadOptions | null,
    length?: number | null,
    position?: number | bigint | null,
  ): Promise<never> {
    const named = ArrayBuffer.isView(first) ? second : first;
    const options =
      typeof named === "number" || (ArrayBuffer.isView(first) && (named === undefined || named === null))
        ? { offset: named as number | null | undefined, length, position }
        : optionsOf<HandleReadOptions & { buffer?: ArrayBufferView }>("FileHandle.read", named, this.path);
    const buffer = ArrayBuffer.isView(first)
      ? first
      : ((options as { buffer?: ArrayBufferView }).buffer ?? new Uint8Array(DEFAULT_BUFFER));
    const into = this.#window("read", buffer, options);
    const bytesRead = await this.readBytes(into, this.#position("read", options.position));
    return { bytesRead, buffer } as never;
  }

  /** One atomic read, whatever else happens to the handle meanwhile. */
  async readv<B extends readonly ArrayBufferView[]>(buffers: B, position: number | null = null) {
    const windows = this.#windows("read", buffers);
    if (windows.length === 0) throw this.#invalid("read", "no buffers to read into");
    const all = new Uint8Array(totalLength(windows));
    const bytesRead = await this.readBytes(all, this.#position("read", position));
    let at = 0;
    for (const window of windows) {
      window.set(all.subarray(at, Math.min(at + window.length, bytesRead)));
      at += window.length;
      if (at >= bytesRead) break;
    }
    return { bytesRead, buffers };
  }

  /** Node's shapes: (view, offset, length, position), (view, options) and (text, position, encoding). */
  async write(
    data: ArrayBufferView | string,
    second?: number | HandleReadOptions | null,
    third?: number | string | null,
    position?: number | null,
  ): Promise<never> {
    if (typeof data === "string") {
      const bytes = encodeText(data, encodingOf(third, "write", this.path), "write", this.path);
      await this.writeBytes(bytes, this.#position("write", second as number | null));
      return { bytesWritten: bytes.length, buffer: data } as never;
    }
    const options =
      typeof second === "object" && second !== null
        ? optionsOf<HandleReadOptions>("FileHandle.write", second, this.path)
        : { offset: second, length: third as number | null | undefined, position };
    const bytes = this.#window("write", data, options);
    await this.writeBytes(bytes, this.#position("write", options.position));
    return { bytesWritten: bytes.length, buffer: data } as never;
  }

  async writev<B extends readonly ArrayBufferView[]>(buffers: B, position: number | null = null) {
    const windows = this.#windows("write", buffers);
    const all = new Uint8Array(totalLength(windows));
    let at = 0;
    for (const window of windows) {
      all.set(window, at);
      at += window.length;
    }
    await this.writeBytes(all, this.#position("write", position));
    return { bytesWritten: all.length, buffers };
  }

  async readFile(options?: TextEncodingName | HandleFileOptions | null): Promise<never> {
    this.checkOpen("readFile");
    const { encoding: named, signal } = optionsOf<HandleFileOptions>("FileHandle.readFile", options, this.path);
    const encoding = encodingOf(named, "read", this.path);
    throwIfAborted(signal, "read", this.path);
    const bytes = await this.readRest();
    throwIfAborted(signal, "read", this.path);
    return (encoding === undefined ? bytes : decodeText(bytes, encoding, "read", this.path)) as never;
  }

  async writeFile(content: HandleContent, options?: HandleFileOptions | TextEncodingName | null): Promise<void> {
    this.checkOpen("writeFile");
    const { encoding: named, signal } = optionsOf<HandleFileOptions>("FileHandle.writeFile", options, this.path);
    const encoding = encodingOf(named, "write", this.path);
    throwIfAborted(signal, "write", this.path);
    const whole = typeof content === "string" || ArrayBuffer.isView(content);
    if (!whole && !isIterable(content)) throw this.#invalid("write", "content must be text, bytes or a stream of them");
    for await (const chunk of whole ? [content as string | ArrayBufferView] : content) {
      throwIfAborted(signal, "write", this.path);
      const text = typeof chunk === "string" ? encodeText(chunk, encoding, "write", this.path) : chunk;
      await this.writeBytes(this.#window("write", text, {}), null);
    }
  }

  appendFile(content: HandleContent, options?: HandleFileOptions | TextEncodingName | null): Promise<void> {
    return this.writeFile(content, options);
  }

  readLines(options: ReadLinesOptions = {}): AsyncIterableIterator<string> {
    return readLines(this, optionsOf<ReadLinesOptions>("FileHandle.readLines", options, this.path), this.path);
  }

  readableWebStream(options: { autoClose?: boolean } = {}): ReadableStream<Uint8Array> {
    const given = optionsOf<{ autoClose?: boolean }>("FileHandle.readableWebStream", options, this.path);
    this.checkOpen("readableWebStream");
    const end = async () => {
      if (given.autoClose === true) await this.close();
    };
    return new ReadableStream<Uint8Array>(
      {
        type: "bytes",
        // Without it workerd delivers 4 KiB at a time, whatever is enqueued.
        autoAllocateChunkSize: STREAM_CHUNK,
        pull: async (controller: ReadableByteStreamController) => {
          const chunk = new Uint8Array(STREAM_CHUNK);
          const bytesRead = await this.readBytes(chunk, null);
          if (bytesRead > 0) return controller.enqueue(chunk.subarray(0, bytesRead));
          await end();
          controller.close();
          // A pending BYOB request must be answered before the stream counts as closed.
          controller.byobRequest?.respond(0);
        },
        cancel: end,
      } as unknown as UnderlyingSource<Uint8Array>,
      { highWaterMark: 0 },
    );
  }

  async stat(options?: StatOptions): Promise<FileStat> {
    optionsOf("FileHandle.stat", options, this.path);
    return this.readStat();
  }

  #position(syscall: string, position: number | bigint | null | undefined): Position {
    if (position === null || position === undefined) return null;
    const at = typeof position === "bigint" ? Number(position) : position;
    if (at === -1) return null;
    return isOffset(at) ? at : this.#refuse(syscall, "not a position");
  }

  #window(syscall: string, view: unknown, { offset, length }: HandleReadOptions): Uint8Array {
    if (!ArrayBuffer.isView(view)) return this.#refuse(syscall, "data must be text or bytes");
    const from = offset ?? 0;
    const count = length ?? view.byteLength - from;
    if (!isOffset(from) || !isOffset(count) || from + count > view.byteLength)
      return this.#refuse(syscall, "not a range of the buffer");
    return new Uint8Array(view.buffer, view.byteOffset + from, count);
  }

  #windows(syscall: string, buffers: unknown): Uint8Array[] {
    if (!Array.isArray(buffers)) return this.#refuse(syscall, "buffers must be an array of views");
    return buffers.map((buffer) => this.#window(syscall, buffer, {}));
  }

  #refuse(syscall: string, reason: string): never {
    throw this.#invalid(syscall, reason);
  }

  #invalid(syscall: string, reason: string): FsError {
    return new FsError("EINVAL", { syscall, path: this.path, reason });
  }
}

function totalLength(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function isIterable(content: unknown): boolean {
  return (
    typeof content === "object" && content !== null && (Symbol.asyncIterator in content || Symbol.iterator in content)
  );
}
