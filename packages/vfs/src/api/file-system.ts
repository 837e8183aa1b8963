/**
 * The narrow waist: the interface of a workspace's file system, as types only. Implemented on SQLite here, over Workers RPC by the
 * client of `@cloudflare/workspace`, and over `node:fs` by the contract suite. Verbs, options and error codes are Node's
 * (`node:fs/promises`); additions to Node are marked "ours".
 */
import type { GrepBudget, GrepHit, GrepMode, GrepResult } from "@workspace/protocol";
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

export type TextEncodingName =
  | "utf8"
  | "utf-8"
  | "latin1"
  | "binary"
  | "ascii"
  | "base64"
  | "base64url"
  | "hex"
  | "utf16le"
  | "ucs2";
export type EntryType = "file" | "dir" | "symlink";

/** Opaque, `<epoch>.<revision>`: equal exactly when nothing changed. */
export type Version = string;
export type Time = Date | number | string;

export interface VersionGuard {
  /** The version the path must have now; `null`: it must not exist. Otherwise ESTALE, and nothing is changed. */
  ifVersion?: Version | null;
}

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

export interface ByteRange {
  /** First byte, default 0. */
  start?: number;
  /** Last byte, inclusive as in Node's streams; default the end of the file. */
  end?: number;
}

export interface FileRead {
  content: Uint8Array;
  version: Version;
  stat: FileStat;
}

/** Permission bits: a number, or octal digits. */
export type Mode = number | string;

export interface ReadFileOptions<Encoding extends TextEncodingName | null | undefined = TextEncodingName | null> {
  encoding?: Encoding;
  /** How to open the file, default `r`; a flag that creates or truncates files does so. */
  flag?: string | number;
  signal?: AbortSignal;
}

export interface WriteFileOptions extends VersionGuard {
  encoding?: TextEncodingName;
  /** Mode of a created file; default 0o666 less a umask of 0o022. */
  mode?: Mode;
  /** `w` (default), `wx`, `a`, `ax`, and with `+`. */
  flag?: string | number;
  /** Ignored: writes are durable in any case. */
  flush?: boolean;
  signal?: AbortSignal;
}

/** Names are text, always in UTF-8. */
export type NameEncoding = "utf8" | "utf-8" | { encoding?: "utf8" | "utf-8" | null } | null;

/** Sizes and times are exact as numbers, so there is no bigint variant. */
export interface StatOptions {
  bigint?: false;
}

export interface ReaddirOptions {
  encoding?: "utf8" | "utf-8" | null;
  withFileTypes?: boolean;
  recursive?: boolean;
}

export interface OpendirOptions {
  encoding?: "utf8" | "utf-8" | null;
  /** Entries read at a time. */
  bufferSize?: number;
  /** Includes subdirectories, each before its entries. */
  recursive?: boolean;
}

export interface ScanOptions {
  after?: string;
  limit?: number;
}

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

export interface MkdirOptions extends VersionGuard {
  recursive?: boolean;
  mode?: Mode;
}

/** Accepted and ignored: nothing here is temporarily busy, so there is nothing to retry. */
export interface RetryOptions {
  maxRetries?: number;
  retryDelay?: number;
}

export interface RmOptions extends VersionGuard, RetryOptions {
  recursive?: boolean;
  force?: boolean;
}

export interface RmdirOptions extends VersionGuard, RetryOptions {
  /** `rm` removes trees. */
  recursive?: false;
}

export interface RenameOptions extends VersionGuard {
  /** As `ifVersion`, for the target. */
  ifTargetVersion?: Version | null;
}

export interface CopyFileOptions extends RenameOptions {
  /** Fail with EEXIST when the target exists (Node's `COPYFILE_EXCL`). */
  exclusive?: boolean;
}

/** `ifVersion` is the source's, `ifTargetVersion` the target's, at the time of the copy. */
export interface CpOptions extends RenameOptions {
  recursive?: boolean;
  /** Overwrite existing files; default true. */
  force?: boolean;
  errorOnExist?: boolean;
  dereference?: boolean;
  preserveTimestamps?: boolean;
  verbatimSymlinks?: boolean;
  /** As in `copyFile`: with `COPYFILE_EXCL` (1) an existing file makes the whole copy fail with EEXIST. */
  mode?: number;
  /** Return false to leave out an entry and everything under it. */
  filter?: (source: string, destination: string) => boolean | Promise<boolean>;
}

export interface GlobOptions {
  /** Where patterns start; default the workspace root. */
  cwd?: string;
  exclude?: string | readonly string[] | ((path: string) => boolean);
  /** Directories too; default true, as Node. */
  dirs?: boolean;
  /** Fail with EFBIG beyond this many results; default `limits.globResults`. */
  limit?: number;
  /** Leave out what .gitignore, .ignore, .rgignore and .git/info/exclude exclude, as `grep` does; default false, as Node. */
  ignore?: boolean;
  /** Paths only; `find` returns types, sizes and times. */
  withFileTypes?: false;
  followSymlinks?: false;
}

export interface FindOptions {
  /** A glob on the last name. */
  name?: string;
  /** A glob on the path relative to the start. */
  path?: string;
  type?: EntryType;
  larger?: number;
  smaller?: number;
  newer?: Time;
  older?: Time;
  maxDepth?: number;
  minDepth?: number;
  limit?: number;
  /** Leave out what .gitignore, .ignore, .rgignore and .git/info/exclude exclude, as `grep` does; default false, as find(1). */
  ignore?: boolean;
}

/** Search options; the defaults are ripgrep's, except for `regex`. Ignore rules apply with or without a git repository. */
export interface GrepOptions {
  /** The pattern is ripgrep's regular expression; default false: plain text. */
  regex?: boolean;
  ignoreCase?: boolean;
  /** Ignore case unless the pattern has a capital letter. */
  smartCase?: boolean;
  /** Only matches with no word character beside them. */
  word?: boolean;
  /** Only matches that are whole lines. */
  line?: boolean;
  /** The lines that do not match. */
  invert?: boolean;
  /** Matches may span lines. */
  multiline?: boolean;
  /** With `multiline`: `.` matches the end of a line too. */
  dotAll?: boolean;
  /** Globs of files to search, relative to `path`; a glob without a slash matches the name at any depth. */
  include?: string | readonly string[];
  /** Globs of files and directories to leave out; they take precedence over `include`. */
  exclude?: string | readonly string[];
  /** ripgrep's type names; "!name" leaves a type out. */
  types?: string | readonly string[];
  /** Include names that begin with a dot; default false. */
  hidden?: boolean;
  /** Respect .gitignore, .ignore, .rgignore and .git/info/exclude, those above `path` included; default true. */
  ignore?: boolean;
  /** Search files that contain a NUL byte as if they were text; default false. */
  binary?: boolean;
  /** Lines before and after each hit; `before` and `after` set one of them. */
  context?: number;
  before?: number;
  after?: number;
  /** Default 1000; counts files in the modes that list files. */
  maxHits?: number;
  maxPerFile?: number;
  /** Longer lines are truncated and marked; default 2000. */
  maxBytesPerLine?: number;
  /** Larger files are skipped and counted; default 64 MiB, with `multiline` at most 8 MiB. */
  maxFileBytes?: number;
  maxDepth?: number;
  /** Number of hits to skip at the beginning. */
  offset?: number;
  /** The `cursor` of an earlier answer, to continue where it stopped. */
  cursor?: string;
  mode?: GrepMode;
  /** `auto`, the default, uses the container when it is up and has exactly this revision; the answer names the engine. */
  engine?: "auto" | "local" | "container";
  signal?: AbortSignal;
  /** Maximum work, counted in steps because a Worker's clock stands still. */
  budget?: Partial<GrepBudget>;
}

export interface FindResult {
  path: string;
  type: EntryType;
  size: number;
  mtimeMs: number;
  version: Version;
}

export interface TreeOptions {
  /** Default 2. */
  depth?: number;
  limit?: number;
}

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

export interface ChangesOptions {
  /** A cursor from an earlier answer; absent: from the oldest entry. */
  since?: Version;
  /** Only entries at or under this path. */
  path?: string;
  /** Default and maximum 1000. */
  limit?: number;
}

export interface ChangePage {
  changes: Change[];
  /** Pass as `since` to continue. */
  cursor: Version;
  /** True when there are more entries now. */
  more: boolean;
}

/** A glob (without a slash it matches the last name), a regular expression or a predicate on the event's `filename`. */
export type WatchIgnore = string | RegExp | ((filename: string) => boolean);

export interface WatchOptions {
  recursive?: boolean;
  signal?: AbortSignal;
  encoding?: "utf8" | "utf-8";
  /** Ignored: a watch keeps no process running. */
  persistent?: boolean;
  /** Events to leave out. */
  ignore?: WatchIgnore | readonly WatchIgnore[];
  /** Start after this cursor instead of now. */
  since?: Version;
}

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
export type GrepStreamOptions = Omit<GrepOptions, "mode" | "cursor">;

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
