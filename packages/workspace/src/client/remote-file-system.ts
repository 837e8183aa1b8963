/**
 * The whole `FileSystem` over Workers RPC: a list, one line per verb, one message per call. Verbs that need more than a line
 * (bodies, bulk, functions that stay on this side) are in the files beside it.
 */
import type { VerbWithOptions, WireDirent, WireScanEntry, WireStat } from "@workspace/protocol";
import {
  type ChangePage,
  type FindResult,
  type NameEncoding,
  optionsOf,
  type ReaddirOptions,
  type RmOptions,
  type SearchableFileSystem,
  temporaryDirectory,
} from "@workspace/vfs";
import { takeBytes, takeFiles, takeList } from "./incoming.ts";
import { remoteCp } from "./remote-cp.ts";
import { RemoteDir } from "./remote-dir.ts";
import { remoteGlob } from "./remote-glob.ts";
import { remoteGrep, remoteGrepStream } from "./remote-grep.ts";
import { RemoteFileHandle } from "./remote-handle.ts";
import { remoteRead, remoteReadFile } from "./remote-read.ts";
import { type PollOptions, remoteWatch } from "./remote-watch.ts";
import { remoteWriteFile } from "./remote-write-file.ts";
import { remoteWriteMany } from "./remote-write-many.ts";
import { reviveDirent, reviveStat } from "./revive.ts";
import type { RpcClient } from "./rpc-client.ts";

export function createRemoteFileSystem(connection: RpcClient, policy: PollOptions): SearchableFileSystem {
  const ask = (verb: string, ...args: unknown[]) => connection.call(verb, args);
  const value = async <T>(verb: string, ...args: unknown[]) => (await ask(verb, ...args)).value as T;
  const done = async (verb: string, ...args: unknown[]) => void (await ask(verb, ...args));
  /** A verb of one path or two and then options, which are checked before anything is sent. */
  const requested = async (verb: VerbWithOptions, args: unknown[], options: unknown) =>
    ask(verb, ...args, optionsOf(verb, options, args[0]));
  const answered = async <T>(verb: VerbWithOptions, args: unknown[], options: unknown) =>
    (await requested(verb, args, options)).value as T;
  const stat = async (verb: "stat" | "lstat", path: string, options: unknown) =>
    reviveStat(await answered<WireStat>(verb, [path], options));
  const list = async <T>(verb: VerbWithOptions, path: string, options: unknown) =>
    takeList<T>(connection, verb, await requested(verb, [path], options));
  const mkdtemp = (prefix: string, options?: NameEncoding) => answered<string>("mkdtemp", [prefix], options);
  const rm = async (path: string, options?: RmOptions) => void (await requested("rm", [path], options));

  const remote = {
    readFile: (path: string, options?: unknown) => remoteReadFile(connection, path, options),
    writeFile: (path, content, options) => remoteWriteFile(connection, "writeFile", path, content, options),
    appendFile: (path, content, options) => remoteWriteFile(connection, "appendFile", path, content, options),
    open: async (path, flags, mode, options) =>
      new RemoteFileHandle(connection, await requested("open", [path, flags, mode], options), path),
    mkdir: (path, options) => answered("mkdir", [path], options),
    mkdtemp,
    mkdtempDisposable: async (prefix, options) =>
      temporaryDirectory(await mkdtemp(prefix, options), (path) => rm(path, { recursive: true, force: true })),
    async readdir(path: string, options?: ReaddirOptions) {
      const entries = await list<string | WireDirent>("readdir", path, options);
      return entries.map((entry) => (typeof entry === "string" ? entry : reviveDirent(entry)));
    },
    opendir: async (path, options) => new RemoteDir(connection, await requested("opendir", [path], options)),
    stat: (path, options) => stat("stat", path, options),
    lstat: (path, options) => stat("lstat", path, options),
    access: (path, mode) => done("access", path, mode),
    exists: (path) => value("exists", path),
    rm,
    rmdir: async (path, options) => void (await requested("rmdir", [path], options)),
    unlink: async (path, options) => void (await requested("unlink", [path], options)),
    rename: async (from, to, options) => void (await requested("rename", [from, to], options)),
    copyFile: async (from, to, options) =>
      typeof options === "number"
        ? done("copyFile", from, to, options)
        : void (await requested("copyFile", [from, to], options)),
    cp: (from, to, options) => remoteCp(connection, from, to, options),
    symlink: async (target, path, options) =>
      typeof options === "string"
        ? done("symlink", target, path, options)
        : void (await requested("symlink", [target, path], options)),
    readlink: (path, options) => answered("readlink", [path], options),
    link: async (existing, path, options) => void (await requested("link", [existing, path], options)),
    realpath: (path, options) => answered("realpath", [path], options),
    chmod: async (path, mode, options) => void (await requested("chmod", [path, mode], options)),
    utimes: async (path, atime, mtime, options) => void (await requested("utimes", [path, atime, mtime], options)),
    lutimes: async (path, atime, mtime, options) => void (await requested("lutimes", [path, atime, mtime], options)),
    truncate: async (path, length, options) => void (await requested("truncate", [path, length], options)),
    glob: (pattern, options) => remoteGlob(connection, pattern, options),
    watch: (path, options) => remoteWatch(connection, policy, path, options),
    statfs: (path, options) => answered("statfs", [path], options),
    read: (path) => remoteRead(connection, path),
    readStream: async (path, range) => (await requested("readStream", [path], range)).stream!,
    readRange: async (path, start, length) =>
      takeBytes(connection, "read", await ask("readRange", path, start, length)),
    readMany: async (paths) => takeFiles(connection, "read", await ask("readMany", paths)),
    scan: async (path, page) =>
      (await list<WireScanEntry>("scan", path, page)).map(({ name, stat: s }) => ({ name, stat: reviveStat(s) })),
    writeMany: (entries) => remoteWriteMany(connection, entries),
    find: (path, options) => list<FindResult>("find", path, options),
    tree: (path, options) => answered("tree", [path], options),
    du: (path) => value("du", path),
    changes: (options) => answered<ChangePage>("changes", [], options),
    grep: (pattern, path, options) => remoteGrep(connection, pattern, path, options),
    grepStream: (pattern, path, options) => remoteGrepStream(connection, pattern, path, options),
  } as Implementation;
  return remote as SearchableFileSystem;
}

/** The verbs whose answer's type depends on their options are checked where they are called, by the interface's overloads. */
type Overloaded = "readFile" | "readdir";
type Implementation = Omit<SearchableFileSystem, Overloaded> &
  Record<Overloaded, (path: string, options?: never) => Promise<unknown>>;
