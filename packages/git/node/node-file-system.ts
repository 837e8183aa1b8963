/**
 * `FileSystem` over `node:fs`, for git on ordinary directories. The calls are synchronous inside: a command is a process of its
 * own, and a synchronous `lstat` takes half the time of an asynchronous one. Calls that git never makes (globs, watching, the
 * change log) are refused.
 */
import * as node from "node:fs";
import { dirname } from "node:path";
import type {
  BulkEntry,
  BulkResult,
  ByteRange,
  Content,
  CopyFileOptions,
  CpOptions,
  Dir,
  Dirent,
  EntryType,
  FileRead,
  FileSystem,
  MkdirOptions,
  RmOptions,
  ScanEntry,
  Time,
  WriteFileOptions,
  WriteResult,
} from "@workspace/vfs";
import { NodeFileHandle, writeAll } from "./node-file-handle.ts";
import { NodeStat } from "./node-stat.ts";

const STREAM_BYTES = 256 * 1024;

export function createNodeFileSystem(): FileSystem {
  const fs: Record<string, unknown> = {
    readFile: async (path: string, options?: unknown) => plain(node.readFileSync(path, options as null)),
    writeFile: (path: string, content: Content, options?: WriteFileOptions | BufferEncoding) =>
      writeContent(path, content, "w", options),
    appendFile: (path: string, content: Content, options?: WriteFileOptions | BufferEncoding) =>
      writeContent(path, content, "a", options),
    open: async (path: string, flags = "r", mode?: number) => new NodeFileHandle(path, flags, mode),
    mkdir: async (path: string, options?: MkdirOptions | number) => node.mkdirSync(path, options),
    mkdtemp: async (prefix: string) => node.mkdtempSync(prefix),
    async readdir(path: string, options: { withFileTypes?: boolean; recursive?: boolean } = {}) {
      const { recursive = false } = options;
      if (!options.withFileTypes) return node.readdirSync(path, { recursive });
      return node.readdirSync(path, { withFileTypes: true, recursive }).map(dirent);
    },
    opendir: async (path: string) => directory(path),
    stat: async (path: string) => new NodeStat(node.statSync(path)),
    lstat: async (path: string) => new NodeStat(node.lstatSync(path)),
    access: async (path: string, mode?: number) => node.accessSync(path, mode),
    exists: async (path: string) => node.existsSync(path),
    rm: async (path: string, options?: RmOptions) => node.rmSync(path, options),
    rmdir: async (path: string) => node.rmdirSync(path),
    unlink: async (path: string) => node.unlinkSync(path),
    rename: async (from: string, to: string) => node.renameSync(from, to),
    copyFile: async (from: string, to: string, options?: CopyFileOptions | number) =>
      node.copyFileSync(from, to, typeof options === "number" ? options : options?.exclusive ? 1 : 0),
    cp: async (from: string, to: string, options?: CpOptions) => node.cpSync(from, to, options as node.CopySyncOptions),
    symlink: async (target: string, path: string) => node.symlinkSync(target, path),
    readlink: async (path: string) => node.readlinkSync(path),
    link: async (existing: string, path: string) => node.linkSync(existing, path),
    realpath: async (path: string) => node.realpathSync(path),
    chmod: async (path: string, mode: number) => node.chmodSync(path, mode),
    utimes: async (path: string, atime: Time, mtime: Time) => node.utimesSync(path, atime, mtime),
    lutimes: async (path: string, atime: Time, mtime: Time) => node.lutimesSync(path, atime, mtime),
    truncate: async (path: string, length?: number) => node.truncateSync(path, length),
    statfs: async (path: string) => node.statfsSync(path),

    async read(path: string): Promise<FileRead> {
      const content = plain(node.readFileSync(path)) as Uint8Array;
      const stat = new NodeStat(node.statSync(path));
      return { content, version: stat.version, stat };
    },
    readStream: async (path: string, range?: ByteRange) => readStream(path, range),
    readRange: async (path: string, start: number, length: number) => readRange(path, start, length),
    readMany: async (paths: readonly string[]) => paths.map(readOrNull),
    scan: async (path: string, options?: { after?: string; limit?: number }) => scan(path, options),
    writeMany: async (entries: readonly BulkEntry[]) => writeMany(entries),
  };
  for (const name of ["glob", "watch", "find", "tree", "du", "changes"]) {
    fs[name] = () => {
      throw Object.assign(new Error(`ENOTSUP: ${name} is not there on node:fs`), { code: "ENOTSUP", syscall: name });
    };
  }
  return fs as unknown as FileSystem;
}

/** Never returns a `Buffer`: its `slice` shares memory where that of a `Uint8Array` copies. */
function plain(content: Buffer | string): Uint8Array | string {
  if (typeof content === "string") return content;
  return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
}

async function writeContent(
  path: string,
  content: Content,
  flag: string,
  options: WriteFileOptions | BufferEncoding = {},
): Promise<WriteResult> {
  const { encoding, mode, flag: requested = flag } = typeof options === "string" ? { encoding: options } : options;
  const descriptor = node.openSync(path, requested, mode);
  try {
    for await (const part of contentParts(content)) {
      writeAll(descriptor, typeof part === "string" ? Buffer.from(part, encoding as BufferEncoding) : part);
    }
    const { version, contentVersion, size } = new NodeStat(node.fstatSync(descriptor));
    return { version, contentVersion, size };
  } finally {
    node.closeSync(descriptor);
  }
}

function contentParts(
  content: Content,
): Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> | ReadableStream<Uint8Array> {
  if (typeof content === "string" || content instanceof Uint8Array) return [content];
  if (content instanceof ArrayBuffer) return [new Uint8Array(content)];
  if (ArrayBuffer.isView(content)) return [new Uint8Array(content.buffer, content.byteOffset, content.byteLength)];
  return content;
}

function readRange(path: string, start: number, length: number): Uint8Array {
  const descriptor = node.openSync(path, "r");
  try {
    const buffer = new Uint8Array(Math.min(length, Math.max(0, node.fstatSync(descriptor).size - start)));
    let read = 0;
    while (read < buffer.length) {
      const more = node.readSync(descriptor, buffer, read, buffer.length - read, start + read);
      if (more === 0) break;
      read += more;
    }
    return buffer.subarray(0, read);
  } finally {
    node.closeSync(descriptor);
  }
}

function readStream(path: string, { start = 0, end = Number.POSITIVE_INFINITY }: ByteRange = {}) {
  const descriptor = node.openSync(path, "r");
  let position = start;
  let open = true;
  const close = () => {
    if (open) node.closeSync(descriptor);
    open = false;
  };
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const buffer = new Uint8Array(Math.max(0, Math.min(STREAM_BYTES, end - position + 1)));
      const read = node.readSync(descriptor, buffer, 0, buffer.length, position);
      position += read;
      if (read > 0) {
        controller.enqueue(buffer.subarray(0, read));
        return;
      }
      close();
      controller.close();
    },
    cancel: close,
  });
}

function readOrNull(path: string): Uint8Array | null {
  try {
    return plain(node.readFileSync(path)) as Uint8Array;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** A name that is too long cannot exist. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ENAMETOOLONG"]);

function scan(path: string, { after, limit }: { after?: string; limit?: number } = {}): ScanEntry[] {
  let names = sortedNames(path);
  if (after !== undefined) names = names.filter((name) => Buffer.compare(Buffer.from(name), Buffer.from(after)) > 0);
  if (limit !== undefined) names = names.slice(0, limit);
  const entries: ScanEntry[] = [];
  for (const name of names) {
    const stat = node.lstatSync(`${path}/${name}`, { throwIfNoEntry: false });
    if (stat !== undefined) entries.push({ name, stat: new NodeStat(stat) });
  }
  return entries;
}

/** JavaScript's order equals byte order except for names outside the basic plane. */
function sortedNames(path: string): string[] {
  const names = node.readdirSync(path);
  if (!names.some((name) => /[\ud800-\uffff]/.test(name))) return names.sort();
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function writeMany(entries: readonly BulkEntry[]): BulkResult {
  const created = new Set<string>();
  const versions = entries.map((entry) => {
    if (entry.type === "remove") {
      node.rmSync(entry.path, { recursive: true, force: true });
      created.clear();
      return null;
    }
    const folder = dirname(entry.path);
    if (!created.has(folder)) node.mkdirSync(folder, { recursive: true });
    created.add(folder);
    writeEntry(entry);
    if (entry.mtime !== undefined) node.lutimesSync(entry.path, entry.mtime, entry.mtime);
    return new NodeStat(node.lstatSync(entry.path)).version;
  });
  return { written: entries.length, versions };
}

function writeEntry(entry: Exclude<BulkEntry, { type: "remove" }>): void {
  if (entry.type === "dir") node.mkdirSync(entry.path, { recursive: true });
  else if (entry.type === "symlink") {
    node.rmSync(entry.path, { force: true });
    node.symlinkSync(entry.target, entry.path);
    return;
  } else node.writeFileSync(entry.path, entry.content);
  if (entry.mode !== undefined) node.chmodSync(entry.path, entry.mode);
}

function dirent(from: node.Dirent): Dirent {
  const type: EntryType = from.isDirectory() ? "dir" : from.isSymbolicLink() ? "symlink" : "file";
  return Object.assign(from, { type }) as Dirent;
}

function directory(path: string): Dir {
  const entries = node.readdirSync(path, { withFileTypes: true }).map(dirent);
  let next = 0;
  return {
    path,
    read: async () => entries[next++] ?? null,
    close: async () => {},
    async *[Symbol.asyncIterator]() {
      yield* entries.slice(next);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
