/**
 * The whole `FileSystem` over Workers RPC: a list, one line per verb, one message per call. What needs more than a line (bodies,
 * bulk, functions that stay on this side) stands in the files beside it.
 */
import type { WireDirent, WireScanEntry, WireStat } from "@workspace/protocol";
import { type Changes, decodeText, encodingOf, type Found, type SearchableFileSystem } from "@workspace/vfs";
import type { Connection } from "./connection.ts";
import { takeBytes, takeFiles, takeList } from "./incoming.ts";
import { remoteCp } from "./remote-cp.ts";
import { RemoteDir } from "./remote-dir.ts";
import { remoteGlob } from "./remote-glob.ts";
import { remoteGrep, remoteGrepStream } from "./remote-grep.ts";
import { RemoteFileHandle } from "./remote-handle.ts";
import { remoteRead } from "./remote-read.ts";
import { remoteWatch, type WatchPolicy } from "./remote-watch.ts";
import { remoteWriteFile } from "./remote-write-file.ts";
import { remoteWriteMany } from "./remote-write-many.ts";
import { reviveDirent, reviveStat } from "./revive.ts";

export function createRemoteFileSystem(connection: Connection, policy: WatchPolicy): SearchableFileSystem {
  const ask = (verb: string, ...args: unknown[]) => connection.call(verb, args);
  const value = async <T>(verb: string, ...args: unknown[]) => (await ask(verb, ...args)).value as T;
  const done = async (verb: string, ...args: unknown[]) => void (await ask(verb, ...args));
  const stat = async (verb: string, path: string) => reviveStat(await value<WireStat>(verb, path));
  const list = async <T>(verb: string, ...args: unknown[]) => takeList<T>(connection, verb, await ask(verb, ...args));

  const remote = {
    async readFile(path: string, options?: unknown) {
      const encoding = encodingOf(options, "open", path);
      const bytes = await takeBytes(connection, "read", await ask("readFile", path));
      return encoding === undefined ? bytes : decodeText(bytes, encoding, "read", path);
    },
    writeFile: (path, content, options) => remoteWriteFile(connection, "writeFile", path, content, options),
    appendFile: (path, content, options) => remoteWriteFile(connection, "appendFile", path, content, options),
    open: async (path, flags, mode, options) =>
      new RemoteFileHandle(connection, await ask("open", path, flags, mode, options), path),
    mkdir: (path, options) => value("mkdir", path, options),
    mkdtemp: (prefix) => value("mkdtemp", prefix),
    async readdir(path: string, options?: { withFileTypes?: boolean; recursive?: boolean }) {
      const entries = await list<string | WireDirent>("readdir", path, options);
      return entries.map((entry) => (typeof entry === "string" ? entry : reviveDirent(entry)));
    },
    opendir: async (path) => new RemoteDir(connection, await ask("opendir", path)),
    stat: (path) => stat("stat", path),
    lstat: (path) => stat("lstat", path),
    access: (path, mode) => done("access", path, mode),
    exists: (path) => value("exists", path),
    rm: (path, options) => done("rm", path, options),
    rmdir: (path, options) => done("rmdir", path, options),
    unlink: (path, options) => done("unlink", path, options),
    rename: (from, to, options) => done("rename", from, to, options),
    copyFile: (from, to, options) => done("copyFile", from, to, options),
    cp: (from, to, options) => remoteCp(connection, from, to, options),
    symlink: (target, path, options) => done("symlink", target, path, options),
    readlink: (path) => value("readlink", path),
    link: (existing, path, options) => done("link", existing, path, options),
    realpath: (path) => value("realpath", path),
    chmod: (path, mode, options) => done("chmod", path, mode, options),
    utimes: (path, atime, mtime, options) => done("utimes", path, atime, mtime, options),
    lutimes: (path, atime, mtime, options) => done("lutimes", path, atime, mtime, options),
    truncate: (path, length, options) => done("truncate", path, length, options),
    glob: (pattern, options) => remoteGlob(connection, pattern, options),
    watch: (path, options) => remoteWatch(connection, policy, path, options),
    statfs: (path) => value("statfs", path),
    read: (path) => remoteRead(connection, path),
    readStream: async (path, range) => (await ask("readStream", path, range)).stream!,
    readRange: async (path, start, length) =>
      takeBytes(connection, "read", await ask("readRange", path, start, length)),
    readMany: async (paths) => takeFiles(connection, "read", await ask("readMany", paths)),
    scan: async (path, page) =>
      (await list<WireScanEntry>("scan", path, page)).map(({ name, stat: s }) => ({ name, stat: reviveStat(s) })),
    writeMany: (entries) => remoteWriteMany(connection, entries),
    find: (path, options) => list<Found>("find", path, options),
    tree: (path, options) => value("tree", path, options),
    du: (path) => value("du", path),
    changes: (options) => value<Changes>("changes", options),
    grep: (pattern, path, options) => remoteGrep(connection, pattern, path, options),
    grepStream: (pattern, path, options) => remoteGrepStream(connection, pattern, path, options),
  } as Implementation;
  return remote as SearchableFileSystem;
}

/** The verbs whose answer's type depends on their options are checked where they are called, by the interface's overloads. */
type Overloaded = "readFile" | "readdir";
type Implementation = Omit<SearchableFileSystem, Overloaded> &
  Record<Overloaded, (path: string, options?: never) => Promise<unknown>>;
