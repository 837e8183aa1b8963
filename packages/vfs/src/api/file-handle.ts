/** An open file, as types only: Node's `FileHandle`. Writes become visible at `sync` or `close`. */
import type { FileStat, Mode, StatOptions, TextEncodingName, Time } from "./file-system.ts";

export interface HandleReadOptions {
  /** In bytes of the buffer, default 0. */
  offset?: number | null;
  /** Default: the rest of the buffer. */
  length?: number | null;
  /** Position in the file; -1 or none: the handle's position, which then advances. */
  position?: number | bigint | null;
}

export interface HandleFileOptions {
  encoding?: TextEncodingName | null;
  signal?: AbortSignal;
}

/** Content that a handle writes as a whole. */
export type HandleContent =
  | string
  | ArrayBufferView
  | Iterable<string | ArrayBufferView>
  | AsyncIterable<string | ArrayBufferView>;

export interface ReadLinesOptions {
  encoding?: "utf8" | "utf-8";
  /** First and last byte; without `start`, from the handle's position. */
  start?: number;
  end?: number;
  /** Bytes read at a time. */
  highWaterMark?: number;
  /** Close the handle at the end; default true, as Node. */
  autoClose?: boolean;
  signal?: AbortSignal;
}

export interface FileHandle extends AsyncDisposable {
  read<B extends ArrayBufferView>(
    buffer: B,
    offset?: number | null,
    length?: number | null,
    position?: number | bigint | null,
  ): Promise<{ bytesRead: number; buffer: B }>;
  read<B extends ArrayBufferView>(buffer: B, options: HandleReadOptions): Promise<{ bytesRead: number; buffer: B }>;
  read<B extends ArrayBufferView = Uint8Array>(
    options?: HandleReadOptions & { buffer?: B },
  ): Promise<{ bytesRead: number; buffer: B }>;
  /** One read into several buffers, each filled before the next. */
  readv<B extends readonly ArrayBufferView[]>(
    buffers: B,
    position?: number | null,
  ): Promise<{ bytesRead: number; buffers: B }>;
  write<B extends ArrayBufferView>(
    data: B,
    offset?: number | null,
    length?: number | null,
    position?: number | null,
  ): Promise<{ bytesWritten: number; buffer: B }>;
  write<B extends ArrayBufferView>(data: B, options: HandleReadOptions): Promise<{ bytesWritten: number; buffer: B }>;
  write(
    data: string,
    position?: number | null,
    encoding?: TextEncodingName | null,
  ): Promise<{ bytesWritten: number; buffer: string }>;
  /** One write of several buffers. */
  writev<B extends readonly ArrayBufferView[]>(
    buffers: B,
    position?: number | null,
  ): Promise<{ bytesWritten: number; buffers: B }>;
  readFile(encoding: TextEncodingName | (HandleFileOptions & { encoding: TextEncodingName })): Promise<string>;
  readFile(options?: (HandleFileOptions & { encoding?: null }) | null): Promise<Uint8Array>;
  /** Writes from the handle's position; a stream that fails halfway has written the first half. */
  writeFile(content: HandleContent, options?: HandleFileOptions | TextEncodingName | null): Promise<void>;
  appendFile(content: HandleContent, options?: HandleFileOptions | TextEncodingName | null): Promise<void>;
  /** The rest of the file, line by line, without line ends. */
  readLines(options?: ReadLinesOptions): AsyncIterableIterator<string>;
  /** The rest of the file; `autoClose` closes the handle with it. */
  readableWebStream(options?: { autoClose?: boolean }): ReadableStream<Uint8Array>;
  truncate(length?: number): Promise<void>;
  stat(options?: StatOptions): Promise<FileStat>;
  chmod(mode: Mode): Promise<void>;
  utimes(atime: Time, mtime: Time): Promise<void>;
  /** Makes all writes so far visible, in one transaction. */
  sync(): Promise<void>;
  datasync(): Promise<void>;
  /** As `sync`, then closes the handle. Disposal closes too. */
  close(): Promise<void>;
}
