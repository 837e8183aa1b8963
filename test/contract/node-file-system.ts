/**
 * `FileSystem` over `node:fs/promises`: the oracle of the contract. Every verb that Node has is forwarded untouched, so what
 * the contract asserts is Node's behavior by construction; bulk members are plain loops. Versions are derived from ctime,
 * which is enough to fill the fields and no more: what they promise is tested in `extensions.ts`.
 */
import type { Stats } from "node:fs";
import * as node from "node:fs/promises";
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
  DiskUsage,
  EntryType,
  FileHandle,
  FileRead,
  FileStat,
  FileSystem,
  FindOptions,
  FindResult,
  GlobOptions,
  MkdirOptions,
  Mode,
  NameEncoding,
  OpendirOptions,
  ReaddirOptions,
  ReadFileOptions,
  RmdirOptions,
  RmOptions,
  ScanEntry,
  StatOptions,
  SymlinkType,
  TextEncodingName,
  Time,
  WatchEvent,
  WatchOptions,
  WriteFileOptions,
  WriteResult,
} from "@workspace/vfs";

export function createNodeFileSystem(): FileSystem {
  const fs = {
    readFile: async (path: string, options?: ReadFileOptions<null>) => plain(await node.readFile(path, options)),
    async writeFile(
      path: string,
      content: Content,
      options?: WriteFileOptions | TextEncodingName,
    ): Promise<WriteResult> {
      await node.writeFile(path, nodeContent(content), options);
      return written(path);
    },
    async appendFile(
      path: string,
      content: Content,
      options?: WriteFileOptions | TextEncodingName,
    ): Promise<WriteResult> {
      await node.appendFile(path, nodeContent(content) as string, options);
      return written(path);
    },
    open: async (path: string, flags?: string | number, mode?: Mode) => handle(await node.open(path, flags, mode)),
    mkdir: (path: string, options?: MkdirOptions | Mode) => node.mkdir(path, options),
    mkdtemp: (prefix: string, options?: NameEncoding) => node.mkdtemp(prefix, options),
    mkdtempDisposable: (prefix: string, options?: NameEncoding) => node.mkdtempDisposable(prefix, options),
    async readdir(path: string, options?: ReaddirOptions | "utf8") {
      if (typeof options !== "object" || !options?.withFileTypes)
        return node.readdir(path, options as { recursive?: boolean });
      return (await node.readdir(path, { ...options, withFileTypes: true })).map(dirent);
    },
    opendir: async (path: string, options?: OpendirOptions) =>
      directory(path, await node.opendir(path, options as { recursive?: boolean })),
    stat: async (path: string, options?: StatOptions) => stat(await node.stat(path, options)),
    lstat: async (path: string, options?: StatOptions) => stat(await node.lstat(path, options)),
    access: (path: string, mode?: number) => node.access(path, mode),
    exists: (path: string) =>
      node.access(path).then(
        () => true,
        () => false,
      ),
    rm: (path: string, options?: RmOptions) => node.rm(path, options),
    rmdir: (path: string, options?: RmdirOptions) => node.rmdir(path, options),
    unlink: (path: string) => node.unlink(path),
    rename: (from: string, to: string) => node.rename(from, to),
    copyFile: (from: string, to: string, options?: CopyFileOptions | number) =>
      node.copyFile(
        from,
        to,
        typeof options === "number" ? options : options?.exclusive ? node.constants.COPYFILE_EXCL : 0,
      ),
    cp: (from: string, to: string, options?: CpOptions) => node.cp(from, to, options),
    symlink: (target: string, path: string, type?: SymlinkType) => node.symlink(target, path, type),
    readlink: (path: string, options?: NameEncoding) => node.readlink(path, options),
    link: (existing: string, path: string) => node.link(existing, path),
    realpath: (path: string, options?: NameEncoding) => node.realpath(path, options),
    chmod: (path: string, mode: Mode) => node.chmod(path, mode),
    utimes: (path: string, atime: Time, mtime: Time) => node.utimes(path, atime, mtime),
    lutimes: (path: string, atime: Time, mtime: Time) => node.lutimes(path, atime, mtime),
    truncate: (path: string, length?: number) => node.truncate(path, length),
    glob: (pattern: string | readonly string[], options: GlobOptions = {}) => glob(pattern, options),
    watch: (path: string, options?: WatchOptions) => watch(path, options),
    statfs: (path: string, options?: StatOptions) => node.statfs(path, options),

    async read(path: string): Promise<FileRead> {
      const content = (await fs.readFile(path)) as Uint8Array;
      const found = await fs.stat(path);
      return { content, version: found.version, stat: found };
    },
    readStream: (path: string, range?: ByteRange) => readStream(path, range),
    async readRange(path: string, start: number, length: number): Promise<Uint8Array> {
      await using file = await node.open(path);
      const buffer = new Uint8Array(length);
      const { bytesRead } = await file.read(buffer, 0, length, start);
      return buffer.subarray(0, bytesRead);
    },
    readMany: (paths: readonly string[]) =>
      Promise.all(paths.map((path) => node.readFile(path).then(plain, () => null))),
    async scan(path: string): Promise<ScanEntry[]> {
      const found = (await node.readdir(path)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      return Promise.all(found.map(async (name) => ({ name, stat: await fs.lstat(`${path}/${name}`) })));
    },
    writeMany: (entries: readonly BulkEntry[]) => writeMany(fs as unknown as FileSystem, entries),
    find: (path: string, options: FindOptions = {}) => find(path, options),
    du: (path: string) => du(path),
    async tree() {
      throw new Error("tree is ours only");
    },
    async changes() {
      throw new Error("node:fs keeps no log");
    },
  };
  return fs as unknown as FileSystem;
}

function plain(content: Buffer | string): Uint8Array | string {
  return typeof content === "string" ? content : new Uint8Array(content);
}

/** Node takes all of these but a bare ArrayBuffer. */
function nodeContent(content: Content): Parameters<typeof node.writeFile>[1] {
  return content instanceof ArrayBuffer ? new Uint8Array(content) : (content as Parameters<typeof node.writeFile>[1]);
}

async function written(path: string): Promise<WriteResult> {
  const { version, contentVersion, size } = stat(await node.stat(path));
  return { version, contentVersion, size };
}

function typeOf(entry: { isDirectory(): boolean; isSymbolicLink(): boolean }): EntryType {
  return entry.isDirectory() ? "dir" : entry.isSymbolicLink() ? "symlink" : "file";
}

function stat(from: Stats): FileStat {
  const version = `${from.ino}.${from.ctimeMs}`;
  return Object.assign(from, {
    type: typeOf(from),
    version,
    contentVersion: `${from.ino}.${from.mtimeMs}`,
  }) as FileStat;
}

function dirent(from: import("node:fs").Dirent): Dirent {
  return Object.assign(from, { type: typeOf(from) }) as Dirent;
}

function directory(path: string, dir: import("node:fs").Dir): Dir {
  const read = async () => {
    const entry = await dir.read();
    return entry && dirent(entry);
  };
  return {
    path,
    read,
    close: () => dir.close(),
    async *[Symbol.asyncIterator]() {
      for await (const entry of dir) yield dirent(entry);
    },
    [Symbol.asyncDispose]: () => dir.close(),
  };
}

function handle(from: node.FileHandle): FileHandle {
  const file: Omit<FileHandle, "readFile"> & { readFile(options?: never): Promise<unknown> } = {
    read: (...args: unknown[]) => from.read(...(args as [Uint8Array])) as never,
    readv: (buffers: readonly ArrayBufferView[], position) =>
      from.readv(buffers as Uint8Array[], position as number) as never,
    write: (...args: unknown[]) => from.write(...(args as [string])) as never,
    writev: (buffers: readonly ArrayBufferView[], position) =>
      from.writev(buffers as Uint8Array[], position as number) as never,
    readFile: async (options) => plain(await from.readFile(options)),
    writeFile: (content, options) => from.writeFile(content as string, options),
    appendFile: (content, options) => from.appendFile(content as string, options),
    readLines: (options) => from.readLines(options)[Symbol.asyncIterator]() as AsyncIterableIterator<string>,
    readableWebStream: (options) => from.readableWebStream(options) as never,
    truncate: (length) => from.truncate(length),
    stat: async (options) => stat((await from.stat(options)) as Stats),
    chmod: (mode) => from.chmod(mode),
    utimes: (atime, mtime) => from.utimes(atime, mtime),
    sync: () => from.sync(),
    datasync: () => from.datasync(),
    close: () => from.close(),
    [Symbol.asyncDispose]: () => from.close(),
  };
  return file as FileHandle;
}

async function glob(pattern: string | readonly string[], options: GlobOptions): Promise<string[]> {
  const exclude = typeof options.exclude === "string" ? [options.exclude] : options.exclude;
  const found: string[] = [];
  const requested = { cwd: options.cwd, exclude } as Parameters<typeof node.glob>[1];
  for await (const path of node.glob(pattern as string[], requested)) {
    if (options.dirs === false && (await node.lstat(`${options.cwd}/${path}`)).isDirectory()) continue;
    found.push(path as string);
  }
  return found;
}

async function* watch(path: string, options: WatchOptions = {}): AsyncIterable<WatchEvent> {
  for await (const event of node.watch(path, options as Parameters<typeof node.watch>[1])) {
    yield event as WatchEvent;
  }
}

async function readStream(path: string, { start = 0, end = Number.POSITIVE_INFINITY }: ByteRange = {}) {
  const file = await node.open(path);
  await file.read(new Uint8Array(1), 0, 1, 0).catch(async (error) => {
    await file.close();
    throw error;
  });
  let position = start;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const buffer = new Uint8Array(Math.max(0, Math.min(65536, end - position + 1)));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
      position += bytesRead;
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      await file.close();
      controller.close();
    },
    cancel: () => file.close(),
  });
}

async function writeMany(fs: FileSystem, entries: readonly BulkEntry[]): Promise<BulkResult> {
  const versions: (string | null)[] = [];
  for (const entry of entries) {
    if (entry.type === "remove") {
      await fs.rm(entry.path, { recursive: true, force: true });
      versions.push(null);
      continue;
    }
    await fs.mkdir(dirname(entry.path), { recursive: true });
    if (entry.type === "dir") await fs.mkdir(entry.path, { recursive: true });
    else if (entry.type === "symlink") {
      await fs.rm(entry.path, { force: true });
      await fs.symlink(entry.target, entry.path);
    } else await fs.writeFile(entry.path, entry.content);
    if (entry.type !== "symlink" && entry.mode !== undefined) await fs.chmod(entry.path, entry.mode);
    if (entry.mtime !== undefined) await fs.lutimes(entry.path, entry.mtime, entry.mtime);
    versions.push((await fs.lstat(entry.path)).version);
  }
  return { written: entries.length, versions };
}

async function* walk(path: string, depth: number): AsyncIterable<{ path: string; depth: number; stat: FileStat }> {
  const found = stat(await node.lstat(path));
  yield { path, depth, stat: found };
  if (found.type !== "dir") return;
  for (const name of (await node.readdir(path)).sort()) yield* walk(`${path}/${name}`, depth + 1);
}

async function find(start: string, options: FindOptions): Promise<FindResult[]> {
  const found: FindResult[] = [];
  for await (const { path, depth, stat } of walk(start, 0)) {
    if (depth < (options.minDepth ?? 0) || depth > (options.maxDepth ?? Number.POSITIVE_INFINITY)) continue;
    if (options.type && stat.type !== options.type) continue;
    if (options.larger !== undefined && stat.size <= options.larger) continue;
    if (options.smaller !== undefined && stat.size >= options.smaller) continue;
    const { matchesGlob, basename, relative } = await import("node:path/posix");
    if (options.name && !matchesGlob(basename(path), options.name)) continue;
    if (options.path && !matchesGlob(relative(start, path), options.path)) continue;
    found.push({ path, type: stat.type, size: stat.size, mtimeMs: stat.mtimeMs, version: stat.version });
  }
  return found.slice(0, options.limit);
}

async function du(start: string): Promise<DiskUsage> {
  const use: DiskUsage = { bytes: 0, files: 0, directories: 0, symlinks: 0 };
  const seen = new Set<number>();
  for await (const { stat } of walk(start, 0)) {
    if (stat.type === "dir") use.directories++;
    else if (stat.type === "symlink") use.symlinks++;
    else if (!seen.has(stat.ino)) {
      seen.add(stat.ino);
      use.files++;
      use.bytes += stat.size;
    }
  }
  return use;
}
