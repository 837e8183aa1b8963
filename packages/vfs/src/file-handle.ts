/** An open file, as types only: Node's `FileHandle`. What is written through it becomes visible at `sync` or `close`. */
import type { FileStat, Mode, StatOptions, TextEncodingName, Time } from "./file-system.ts";

export interface HandleReadOptions {
  /** In bytes of the buffer, default 0. */
  offset?: number | null;
  /** Default what is left of the buffer. */
  length?: number | null;
  /** Where in the file; -1 or none: where the handle is, which then moves on. */
  position?: number | bigint | null;
}

export interface HandleFileOptions {
  encoding?: TextEncodingName | null;
  signal?: AbortSignal;
}

/** What a handle writes as a whole. */
export type HandleContent =
  | string
  | ArrayBufferView
  | Iterable<string | ArrayBufferView>
  | AsyncIterable<string | ArrayBufferView>;

export interface ReadLinesOptions {
  encoding?: "utf8" | "utf-8";
  /** First and last byte; without `start` from where the handle is. */
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
  /** From where the handle is; a stream that fails half way has written the first half. */
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
  /** Makes what was written so far visible, in one transaction. */
  sync(): Promise<void>;
  datasync(): Promise<void>;
  /** As `sync`, then the handle is gone. Disposal closes too. */
  close(): Promise<void>;
}
