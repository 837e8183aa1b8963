/**
 * The narrow waist: the interface of a workspace's file system, as types only. Implemented on SQLite here, over Workers RPC by the
 * client of `@cloudflare/workspace`, and over `node:fs` by the contract suite. Verbs, options and error codes are Node's
 * (`node:fs/promises`); additions to Node are marked "ours".
 */
import type {
  byteRange,
  changesOptions,
  copyFileOptions,
  cpOptions,
  findOptions,
  GrepHit,
  GrepResult,
  globOptions,
  grepOptions,
  grepStreamOptions,
  Mode,
  mkdirOptions,
  OptionsOf,
  opendirOptions,
  readdirOptions,
  readFileOptions,
  renameOptions,
  rmdirOptions,
  rmOptions,
  scanOptions,
  statOptions,
  TextEncodingName,
  Time,
  treeOptions,
  versionGuard,
  watchOptions,
  writeFileOptions,
} from "@workspace/protocol";
import type { FileHandle } from "./file-handle.ts";

/**
 * Writable content: text as UTF-8, bytes, or a stream of either. Bytes remain the caller's: they are not changed, retained or
 * detached, and a stream may reuse a chunk when the next one is requested.
 */
export type Content =
  | string
  | Uint8Array
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>;

export type { Mode, TextEncodingName, Time, WatchIgnore } from "@workspace/protocol";
export type EntryType = "file" | "dir" | "symlink";

/** Opaque, `<epoch>.<revision>`: equal exactly when nothing changed. */
export type Version = string;

export interface VersionGuard extends OptionsOf<typeof versionGuard> {}

export interface FileStat {
  type: EntryType;
  /** With the type bits, as in Node. */
  mode: number;
  size: number;
  ino: number;
  nlink: number;
  uid: number;
  gid: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
  /** Workspaces have no access time: equal to `mtime`. */
  atimeMs: number;
  mtime: Date;
  ctime: Date;
  birthtime: Date;
  atime: Date;
  /** Changes with content and with metadata. */
  version: Version;
  /** Changes with content only. */
  contentVersion: Version;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

export interface Dirent {
  name: string;
  /** The directory it is in. */
  parentPath: string;
  type: EntryType;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

/** A directory being listed page by page; async-iterable and disposable, as Node's `fs.Dir`. */
export interface Dir extends AsyncIterable<Dirent>, AsyncDisposable {
  readonly path: string;
  read(): Promise<Dirent | null>;
  close(): Promise<void>;
}

export interface ByteRange extends OptionsOf<typeof byteRange> {}

export interface FileRead {
  content: Uint8Array;
  version: Version;
  stat: FileStat;
}

export interface ReadFileOptions<Encoding extends TextEncodingName | null | undefined = TextEncodingName | null>
  extends Omit<OptionsOf<typeof readFileOptions>, "encoding"> {
  encoding?: Encoding;
}

export interface WriteFileOptions extends OptionsOf<typeof writeFileOptions> {}

/** Names are text, always in UTF-8. */
export type NameEncoding = "utf8" | "utf-8" | { encoding?: "utf8" | "utf-8" | null } | null;

/** Sizes and times are exact as numbers, so there is no bigint variant. */
export interface StatOptions extends OptionsOf<typeof statOptions> {}

export interface ReaddirOptions extends OptionsOf<typeof readdirOptions> {}

export interface OpendirOptions extends OptionsOf<typeof opendirOptions> {}

export interface ScanOptions extends OptionsOf<typeof scanOptions> {}

/** Node's, for Windows: all symlinks are alike here. */
export type SymlinkType = "file" | "dir" | "junction";

/** A directory made by `mkdtempDisposable`; disposal removes it with its contents. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/** The result of a mutation of one path, where Node returns nothing. */
export interface WriteResult {
  version: Version;
  contentVersion: Version;
  size: number;
}

export interface MkdirOptions extends OptionsOf<typeof mkdirOptions> {}

export interface RmOptions extends OptionsOf<typeof rmOptions> {}

export interface RmdirOptions extends OptionsOf<typeof rmdirOptions> {}

export interface RenameOptions extends OptionsOf<typeof renameOptions> {}

export interface CopyFileOptions extends OptionsOf<typeof copyFileOptions> {}

/** `ifVersion` is the source's, `ifTargetVersion` the target's, at the time of the copy. */
export interface CpOptions extends OptionsOf<typeof cpOptions> {}

export interface GlobOptions extends OptionsOf<typeof globOptions> {}

export interface FindOptions extends OptionsOf<typeof findOptions> {}

/** The defaults are ripgrep's, except for `regex`. Ignore rules apply with or without a git repository. */
export interface GrepOptions extends OptionsOf<typeof grepOptions> {}

export interface FindResult {
  path: string;
  type: EntryType;
  size: number;
  mtimeMs: number;
  version: Version;
}

export interface TreeOptions extends OptionsOf<typeof treeOptions> {}

export interface TreeListing {
  text: string;
  files: number;
  directories: number;
  truncated: boolean;
}

export interface DiskUsage {
  bytes: number;
  files: number;
  directories: number;
  symlinks: number;
  /** Ours, beside `bytes`: the bytes of past states at and under the path; each copy counts. */
  historyBytes?: number;
}

export interface StatFs {
  type: number;
  bsize: number;
  blocks: number;
  bfree: number;
  bavail: number;
  files: number;
  ffree: number;
  /** Ours: bytes that only history needs, an estimate from the log; they count as used. */
  historyBytes?: number;
}

/** One operation of `writeMany`. Parents are created. Entries apply in order, all or none. */
export type BulkEntry =
  | ({ path: string; type?: "file"; content: string | Uint8Array; mode?: number; mtime?: Time } & VersionGuard)
  | ({ path: string; type: "dir"; mode?: number; mtime?: Time } & VersionGuard)
  | ({ path: string; type: "symlink"; target: string; mtime?: Time } & VersionGuard)
  | ({ path: string; type: "remove" } & VersionGuard);

export interface BulkResult {
  written: number;
  /** The version of each entry, in the order given; null for a removed one. */
  versions: (Version | null)[];
}

export type ChangeOp = "create" | "write" | "attr" | "link" | "remove" | "rename";

/** One entry of the change log. Paths are those at that time. */
export interface Change {
  /** `changes({ since: change.cursor })` starts after this entry. */
  cursor: Version;
  op: ChangeOp;
  type: EntryType;
  path: string;
  /** With `rename`: the path before. */
  from?: string;
  ino: number;
  timeMs: number;
  /** Shared by the entries of one transaction. */
  group: number;
  actor?: string;
  callId?: string;
}

export interface ChangesOptions extends OptionsOf<typeof changesOptions> {}

export interface ChangePage {
  changes: Change[];
  /** Pass as `since` to continue. */
  cursor: Version;
  /** True when there are more entries now. */
  more: boolean;
}

export interface WatchOptions extends OptionsOf<typeof watchOptions> {}

/** Node's two fields, then ours. */
export interface WatchEvent {
  eventType: "rename" | "change";
  /** Relative to the watched path. */
  filename: string;
  change: Change;
}

/** An entry of `scan`: name and stat together, in byte order of names. */
export interface ScanEntry {
  name: string;
  stat: FileStat;
}

export interface FileSystem {
  readFile(
    path: string,
    encoding: TextEncodingName | (ReadFileOptions & { encoding: TextEncodingName }),
  ): Promise<string>;
  readFile(path: string, options?: ReadFileOptions<null> | null): Promise<Uint8Array>;
  readFile(path: string, options?: TextEncodingName | ReadFileOptions | null): Promise<Uint8Array | string>;
  writeFile(path: string, content: Content, options?: WriteFileOptions | TextEncodingName): Promise<WriteResult>;
  appendFile(path: string, content: Content, options?: WriteFileOptions | TextEncodingName): Promise<WriteResult>;
  /** With `ifVersion`, every commit of the handle fails with ESTALE when another writer has changed the file since. */
  open(path: string, flags?: string | number, mode?: Mode, options?: VersionGuard): Promise<FileHandle>;
  mkdir(path: string, options?: MkdirOptions | Mode): Promise<string | undefined>;
  mkdtemp(prefix: string, options?: NameEncoding): Promise<string>;
  mkdtempDisposable(prefix: string, options?: NameEncoding): Promise<TemporaryDirectory>;
  readdir(
    path: string,
    options?: (ReaddirOptions & { withFileTypes?: false }) | "utf8" | "utf-8" | null,
  ): Promise<string[]>;
  readdir(path: string, options: ReaddirOptions & { withFileTypes: true }): Promise<Dirent[]>;
  opendir(path: string, options?: OpendirOptions): Promise<Dir>;
  stat(path: string, options?: StatOptions): Promise<FileStat>;
  lstat(path: string, options?: StatOptions): Promise<FileStat>;
  /** Mode bits are recorded, not enforced: only existence, and X_OK of a file, can fail. */
  access(path: string, mode?: number): Promise<void>;
  exists(path: string): Promise<boolean>;
  rm(path: string, options?: RmOptions): Promise<void>;
  rmdir(path: string, options?: RmdirOptions): Promise<void>;
  unlink(path: string, options?: VersionGuard): Promise<void>;
  rename(from: string, to: string, options?: RenameOptions): Promise<void>;
  copyFile(from: string, to: string, options?: CopyFileOptions | number): Promise<void>;
  cp(from: string, to: string, options?: CpOptions): Promise<void>;
  symlink(target: string, path: string, options?: VersionGuard | SymlinkType | null): Promise<void>;
  readlink(path: string, options?: NameEncoding): Promise<string>;
  link(existing: string, path: string, options?: RenameOptions): Promise<void>;
  realpath(path: string, options?: NameEncoding): Promise<string>;
  chmod(path: string, mode: Mode, options?: VersionGuard): Promise<void>;
  utimes(path: string, atime: Time, mtime: Time, options?: VersionGuard): Promise<void>;
  lutimes(path: string, atime: Time, mtime: Time, options?: VersionGuard): Promise<void>;
  truncate(path: string, length?: number, options?: VersionGuard): Promise<void>;
  glob(pattern: string | readonly string[], options?: GlobOptions): Promise<string[]>;
  watch(path: string, options?: WatchOptions): AsyncIterable<WatchEvent>;
  statfs(path: string, options?: StatOptions): Promise<StatFs>;

  // Ours.
  read(path: string): Promise<FileRead>;
  readStream(path: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  readRange(path: string, start: number, length: number): Promise<Uint8Array>;
  /** Bytes of each path in order, null where there is no such file; one statement for many small files. */
  readMany(paths: readonly string[]): Promise<(Uint8Array | null)[]>;
  /** A directory's entries with their stats, all at once, or a page of at most `limit` after the name `after`. */
  scan(path: string, options?: ScanOptions): Promise<ScanEntry[]>;
  writeMany(entries: readonly BulkEntry[]): Promise<BulkResult>;
  find(path: string, options?: FindOptions): Promise<FindResult[]>;
  tree(path: string, options?: TreeOptions): Promise<TreeListing>;
  du(path: string): Promise<DiskUsage>;
  changes(options?: ChangesOptions): Promise<ChangePage>;
}

/** The searches of the file system itself; they move to `FileSystem` when every implementation has them. */
export interface Searchable {
  /** Matching lines, in byte order of paths. Hits beyond `maxHits` are cut, and the answer reports it. */
  grep(pattern: string | readonly string[], path: string, options?: GrepOptions): Promise<GrepResult>;
  /** Yields every hit as it is found, without its own limit; a cut is an error. */
  grepStream(pattern: string | readonly string[], path: string, options?: GrepStreamOptions): AsyncIterable<GrepHit>;
}

/** A stream yields only hits, and continues until the consumer stops. */
export interface GrepStreamOptions extends OptionsOf<typeof grepStreamOptions> {}

/** For callers that cache data derived from a file, inside the isolate; not served remotely. */
export interface Fingerprinted {
  /** A fingerprint of the file at each path: differs when it changed or another file replaced it; null where there is none. */
  fingerprints(paths: readonly string[]): Promise<(string | null)[]>;
}

/** Contents that have no file yet. Disposing frees those that no file has claimed. */
export interface DetachedContents extends Disposable {
  readonly spans: readonly { readonly first: number; readonly last: number }[];
}

/** A file whose content is the detached one at `index`; two entries of one `writeMany` may share it. */
export type DetachedEntry = {
  path: string;
  type: "staged";
  contents: DetachedContents;
  index: number;
  mode?: number;
} & VersionGuard;

/** For callers that have the bytes of many files before their names, inside the isolate; not served remotely. */
export interface DetachedContentStore {
  /** The largest content that can be detached; an empty one cannot. */
  detachedBytes(): number;
  stage(contents: readonly Uint8Array[]): Promise<DetachedContents>;
  writeMany(entries: readonly (BulkEntry | DetachedEntry)[]): Promise<BulkResult>;
}

export interface SearchableFileSystem extends FileSystem, Searchable {}
