/** Node's file streams over a handle. The output of a write stream becomes visible when it is closed, in one transaction. */
import { Buffer } from "node:buffer";
import { Readable, Writable } from "node:stream";
import { type FileHandle, FsError } from "@workspace/vfs";
import { toPath } from "./to-path.ts";

type Open = (path: unknown, flags?: string | number, mode?: number) => Promise<FileHandle>;

interface ReadStreamOptions {
  encoding?: BufferEncoding;
  flags?: string;
  mode?: number;
  /** First and last byte. */
  start?: number;
  end?: number;
  highWaterMark?: number;
  signal?: AbortSignal;
}

interface WriteStreamOptions {
  encoding?: BufferEncoding;
  flags?: string;
  mode?: number;
  /** Where to write; with flags that do not truncate, such as `r+`. */
  start?: number;
  highWaterMark?: number;
  signal?: AbortSignal;
}

const CHUNK = 64 * 1024;

export function createReadStream(open: Open, path: unknown, given?: ReadStreamOptions | BufferEncoding): Readable {
  const options = optionsOf(given, "createReadStream");
  const { encoding, flags = "r", mode, start = 0, end = Number.POSITIVE_INFINITY, signal } = options;
  const { highWaterMark = CHUNK } = options;
  let handle: FileHandle | undefined;
  let position = start;
  const stream = new Readable({
    ...{ highWaterMark, encoding, signal },
    construct(done) {
      open(path, flags, mode).then((opened) => {
        handle = opened;
        stream.emit("ready");
        done();
      }, done);
    },
    read(size) {
      const length = Math.min(size, end + 1 - position);
      if (length <= 0) return void stream.push(null);
      handle!.read(Buffer.alloc(length), 0, length, position).then(
        ({ bytesRead, buffer }) => {
          position += bytesRead;
          stream.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
        },
        (error) => stream.destroy(error),
      );
    },
    destroy: (error, done) => closeWith(handle, error, done),
  });
  return Object.assign(stream, { path: toPath(path) });
}

export function createWriteStream(open: Open, path: unknown, given?: WriteStreamOptions | BufferEncoding): Writable {
  const options = optionsOf(given, "createWriteStream");
  const { encoding = "utf8", flags = "w", mode, start, signal, highWaterMark = CHUNK } = options;
  let handle: FileHandle | undefined;
  let position = start;
  const stream = new Writable({
    ...{ highWaterMark, defaultEncoding: encoding, signal },
    construct(done) {
      open(path, flags, mode).then((opened) => {
        handle = opened;
        stream.emit("ready");
        done();
      }, done);
    },
    write(chunk: Buffer, _encoding, done) {
      writeAll(handle!, chunk, position).then(() => {
        if (position !== undefined) position += chunk.length;
        written.bytesWritten += chunk.length;
        done();
      }, done);
    },
    final(done) {
      const closing = handle!.close();
      handle = undefined;
      closing.then(() => done(), done);
    },
    destroy: (error, done) => closeWith(handle, error, done),
  });
  const written = Object.assign(stream, { path: toPath(path), bytesWritten: 0 });
  return written;
}

async function writeAll(handle: FileHandle, chunk: Buffer, position: number | undefined): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const where = position === undefined ? null : position + at;
    at += (await handle.write(chunk, at, chunk.length - at, where)).bytesWritten;
  }
}

function closeWith(handle: FileHandle | undefined, error: Error | null, done: (error?: Error | null) => void): void {
  if (handle === undefined) return done(error);
  handle.close().then(
    () => done(error),
    (failed: Error) => done(error ?? failed),
  );
}

function optionsOf<T extends { encoding?: BufferEncoding }>(given: T | BufferEncoding | undefined, syscall: string): T {
  const options = (typeof given === "string" ? { encoding: given } : (given ?? {})) as T & { fd?: unknown };
  if (options.fd !== undefined && options.fd !== null)
    throw new FsError("EINVAL", { syscall, reason: "a stream of an open descriptor is not supported: pass a path" });
  return options;
}
