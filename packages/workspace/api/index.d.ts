// Made by `npm run api:generate`. Do not edit it.

import {
  Workspace as Workspace_1,
  WorkspaceObject as WorkspaceObject_1,
} from "./core.d.ts";

import {
  shellLimits,
} from "./shell.d.ts";

export interface AddOptions extends CallOptions {
  readonly paths?: readonly string[];
  readonly all?: boolean;
  readonly update?: boolean;
  readonly force?: boolean;
  readonly intentToAdd?: boolean;
}

export interface AddRemoteOptions extends CallOptions {
  readonly name: string;
  readonly url: string;
}

export interface AddResult {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export type BackendName = "worker" | "container";

export interface BackendProcess {
  readonly events: AsyncIterable<ProcessEvent>;
  kill(signal: SignalName): Promise<void>;
  write(input: Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
}

export interface Blame {
  path: string;
  version: Version;
  lines: BlameLine[];
}

export interface BlameLine {
  line: number;
  text: string;
  cursor?: Version;
  timeMs?: number;
  actor?: string;
  callId?: string;
}

export interface BlameOptions extends CallOptions, BlameRequest {}

export interface BranchOptions extends CallOptions {
  readonly name: string;
  readonly start?: string;
  readonly force?: boolean;
}

export type BulkEntry = ({
  path: string;
  type?: "file";
  content: string | Uint8Array;
  mode?: number;
  mtime?: Time;
} & VersionGuard) | ({
  path: string;
  type: "dir";
  mode?: number;
  mtime?: Time;
} & VersionGuard) | ({
  path: string;
  type: "symlink";
  target: string;
  mtime?: Time;
} & VersionGuard) | ({
  path: string;
  type: "remove";
} & VersionGuard);

export interface BulkResult {
  written: number;
  versions: (Version | null)[];
}

export interface ByteRange extends OptionsOf<typeof byteRange> {}

export interface Change {
  cursor: Version;
  op: ChangeOp;
  type: EntryType;
  path: string;
  from?: string;
  ino: number;
  timeMs: number;
  group: number;
  actor?: string;
  callId?: string;
}

export type ChangeOp = "create" | "write" | "attr" | "link" | "remove" | "rename";

export interface ChangePage {
  changes: Change[];
  cursor: Version;
  more: boolean;
}

export interface ChangesOptions extends OptionsOf<typeof changesOptions> {}

export interface CleanOptions extends CallOptions {
  readonly paths?: readonly string[];
  readonly directories?: boolean;
  readonly ignored?: boolean;
  readonly dryRun?: boolean;
}

export interface CliCall {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: StdinSource;
  readonly onStdout?: (data: Uint8Array) => void;
  readonly onStderr?: (data: Uint8Array) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface CliResult {
  exitCode: number;
  stdout: Uint8Array;
  stderr: Uint8Array;
}

export interface CloneOptions extends CallOptions, Progress {
  readonly url: string;
  readonly directory?: string;
  readonly branch?: string;
  readonly depth?: number;
  readonly singleBranch?: boolean;
  readonly bare?: boolean;
  readonly noCheckout?: boolean;
  readonly filter?: string;
}

export interface CloneResult {
  readonly gitDir: string;
  readonly workTree: string | null;
  readonly head: HeadPosition | null;
}

export type Command = string | readonly string[];

export interface CommitOptions extends CallOptions {
  readonly message?: string;
  readonly all?: boolean;
  readonly amend?: boolean;
  readonly allowEmpty?: boolean;
  readonly author?: {
    readonly name: string;
    readonly email: string;
  };
  readonly date?: string;
  readonly signoff?: boolean;
  readonly paths?: readonly string[];
}

export interface CommitResult {
  readonly oid: Oid;
  readonly branch: string | null;
  readonly isRoot: boolean;
}

export interface ConfigOptions extends CallOptions {
  readonly key: string;
}

export interface Conflict {
  path: string;
  reason: string;
  cursor?: Version;
  actor?: string;
  callId?: string;
}

export class ContainerError extends Error {
  readonly name = "ContainerError";
  readonly code: ContainerErrorCode;
  readonly remote?: string;
  constructor(code: ContainerErrorCode, message: string, options?: {
    cause?: unknown;
    remote?: string;
  });
}

export type ContainerErrorCode =
"EUNREACHABLE" |
"EAUTH" |
"EPROTO" |
"EREMOTE" | "EINVAL" | "ENOENT" | "EEXIST" | "EPIPE" | "EBUDGET";

export type ContainerFactory = (volume: WriteView, options: ContainerOptions) => WorkspaceContainer;

export interface ContainerOptions extends SandboxSettings {
  sandbox: SandboxBinding;
}

export type Content = string | Uint8Array | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

export interface CopyFileOptions extends OptionsOf<typeof copyFileOptions> {}

export interface CpOptions extends OptionsOf<typeof cpOptions> {}

export interface CreatedRef {
  readonly name: string;
  readonly oid: Oid;
  readonly existed: boolean;
}

export type Credential = {
  readonly username: string;
  readonly password: string;
} | {
  readonly bearer: string;
};

export type CredentialSource = (request: {
  readonly origin: string;
  readonly url: string;
  readonly username?: string | undefined;
  readonly rejected?: boolean;
}) => Promise<Credential | null> | Credential | null;

export interface DeleteBranchOptions extends CallOptions {
  readonly name: string;
  readonly force?: boolean;
}

export interface DeleteTagOptions extends CallOptions {
  readonly name: string;
}

export interface DeletedRef {
  readonly name: string;
  readonly oid: Oid | null;
}

export interface DiffFile {
  path: string;
  from?: string;
  status: DiffStatus;
  type: EntryType;
  oldMode?: number;
  newMode?: number;
  oldSize?: number;
  newSize?: number;
  binary?: boolean;
  purged?: boolean;
  patch?: string;
}

export interface DiffOptions extends OptionsOf<typeof diffOptions> {
  from: PointInTime;
}

export interface DiffResult {
  readonly files: readonly GitDiffFile[];
  readonly patch: string;
}

export type DiffStatus = "added" | "removed" | "modified" | "renamed";

export interface Dir extends AsyncIterable<Dirent>, AsyncDisposable {
  readonly path: string;
  read(): Promise<Dirent | null>;
  close(): Promise<void>;
}

export interface Dirent {
  name: string;
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

export interface DiskUsage {
  bytes: number;
  files: number;
  directories: number;
  symlinks: number;
  historyBytes?: number;
}

export type EntryType = "file" | "dir" | "symlink";

export interface ExecBackend {
  readonly name: BackendName;
  start(request: ExecRequest): Promise<BackendProcess>;
  attach(process: ProcessName, afterSeq: number): Promise<BackendProcess | null>;
}

export type ExecEncoding = "utf8" | "bytes";

export type ExecEvent<Encoding extends ExecEncoding = ExecEncoding> = {
  readonly id: string;
  readonly seq: number;
  readonly name: "stdout" | "stderr";
  readonly value: Output<Encoding>;
} | {
  readonly id: string;
  readonly seq: number;
  readonly name: "exit";
  readonly value: ExecExit;
};

export interface ExecExit {
  readonly state: Exclude<ExecState, "running">;
  readonly exitCode: number | null;
  readonly signal?: SignalName;
  readonly reason?: string;
}

export interface ExecHandle<Encoding extends ExecEncoding = ExecEncoding> extends AsyncIterable<ExecEvent<Encoding>>, AsyncDisposable {
  readonly id: string;
  readonly callId: string;
  readonly ranOn: BackendName;
  result(): Promise<ExecResult<Encoding>>;
  kill(signal?: SignalName): Promise<void>;
  write(input: string | Uint8Array): Promise<void>;
  closeStdin(): Promise<void>;
}

export interface ExecOptions<Encoding extends ExecEncoding = ExecEncoding> extends Omit<OptionsOf<typeof execOptions>, "encoding"> {
  encoding?: Encoding;
}

export interface ExecRecord {
  readonly id: string;
  readonly command: Command;
  readonly cwd: string;
  readonly state: ExecState;
  readonly exitCode: number | null;
  readonly signal?: SignalName;
  readonly reason?: string;
  readonly ranOn: BackendName;
  readonly actor?: string;
  readonly callId: string;
  readonly startedMs: number;
  readonly endedMs: number | null;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly output: OutputFile | null;
}

export interface ExecRequest {
  readonly id: string;
  readonly command: string | readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array | ReadableStream<Uint8Array> | null;
  readonly timeoutMs: number;
  readonly actor?: string;
  readonly callId: string;
}

export interface ExecResult<Encoding extends ExecEncoding = ExecEncoding> extends ExecExit {
  readonly id: string;
  readonly stdout: Output<Encoding>;
  readonly stderr: Output<Encoding>;
  readonly truncated: boolean;
  readonly output: OutputFile | null;
  readonly ranOn: BackendName;
  readonly sync?: SyncReport;
  readonly callId: string;
  readonly changed?: readonly string[];
}

export type ExecState = "running" | "exited" | "killed" | "timedout" | "lost";

export interface ExposedPort {
  readonly port: number;
  readonly url: string;
}

export interface FetchOptions extends CallOptions, Progress {
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  readonly all?: boolean;
  readonly prune?: boolean;
  readonly tags?: boolean;
  readonly depth?: number;
  readonly unshallow?: boolean;
}

export interface FetchResult {
  readonly updates: readonly FetchUpdate[];
}

export interface FetchUpdate {
  readonly kind: UpdateKind;
  readonly source: string | null;
  readonly target: string | null;
  readonly from: Oid;
  readonly to: Oid;
  readonly reason?: string;
  readonly dangling?: readonly string[];
}

export interface FileHandle extends AsyncDisposable {
  read<B extends ArrayBufferView>(buffer: B, offset?: number | null, length?: number | null, position?: number | bigint | null): Promise<{
    bytesRead: number;
    buffer: B;
  }>;
  read<B extends ArrayBufferView>(buffer: B, options: HandleReadOptions): Promise<{
    bytesRead: number;
    buffer: B;
  }>;
  read<B extends ArrayBufferView = Uint8Array>(options?: HandleReadOptions & {
    buffer?: B;
  }): Promise<{
    bytesRead: number;
    buffer: B;
  }>;
  readv<B extends readonly ArrayBufferView[]>(buffers: B, position?: number | null): Promise<{
    bytesRead: number;
    buffers: B;
  }>;
  write<B extends ArrayBufferView>(data: B, offset?: number | null, length?: number | null, position?: number | null): Promise<{
    bytesWritten: number;
    buffer: B;
  }>;
  write<B extends ArrayBufferView>(data: B, options: HandleReadOptions): Promise<{
    bytesWritten: number;
    buffer: B;
  }>;
  write(data: string, position?: number | null, encoding?: TextEncodingName | null): Promise<{
    bytesWritten: number;
    buffer: string;
  }>;
  writev<B extends readonly ArrayBufferView[]>(buffers: B, position?: number | null): Promise<{
    bytesWritten: number;
    buffers: B;
  }>;
  readFile(encoding: TextEncodingName | (HandleFileOptions & {
    encoding: TextEncodingName;
  })): Promise<string>;
  readFile(options?: (HandleFileOptions & {
    encoding?: null;
  }) | null): Promise<Uint8Array>;
  writeFile(content: HandleContent, options?: HandleFileOptions | TextEncodingName | null): Promise<void>;
  appendFile(content: HandleContent, options?: HandleFileOptions | TextEncodingName | null): Promise<void>;
  readLines(options?: ReadLinesOptions): AsyncIterableIterator<string>;
  readableWebStream(options?: {
    autoClose?: boolean;
  }): ReadableStream<Uint8Array>;
  truncate(length?: number): Promise<void>;
  stat(options?: StatOptions): Promise<FileStat>;
  chmod(mode: Mode): Promise<void>;
  utimes(atime: Time, mtime: Time): Promise<void>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileRead {
  content: Uint8Array;
  version: Version;
  stat: FileStat;
}

export interface FileStat {
  type: EntryType;
  mode: number;
  size: number;
  ino: number;
  nlink: number;
  uid: number;
  gid: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
  atimeMs: number;
  mtime: Date;
  ctime: Date;
  birthtime: Date;
  atime: Date;
  version: Version;
  contentVersion: Version;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

export interface FileSystem {
  readFile(path: string, encoding: TextEncodingName | (ReadFileOptions & {
    encoding: TextEncodingName;
  })): Promise<string>;
  readFile(path: string, options?: ReadFileOptions<null> | null): Promise<Uint8Array>;
  readFile(path: string, options?: TextEncodingName | ReadFileOptions | null): Promise<Uint8Array | string>;
  writeFile(path: string, content: Content, options?: WriteFileOptions | TextEncodingName): Promise<WriteResult>;
  appendFile(path: string, content: Content, options?: WriteFileOptions | TextEncodingName): Promise<WriteResult>;
  open(path: string, flags?: string | number, mode?: Mode, options?: VersionGuard): Promise<FileHandle>;
  mkdir(path: string, options?: MkdirOptions | Mode): Promise<string | undefined>;
  mkdtemp(prefix: string, options?: NameEncoding): Promise<string>;
  mkdtempDisposable(prefix: string, options?: NameEncoding): Promise<TemporaryDirectory>;
  readdir(path: string, options?: (ReaddirOptions & {
    withFileTypes?: false;
  }) | "utf8" | "utf-8" | null): Promise<string[]>;
  readdir(path: string, options: ReaddirOptions & {
    withFileTypes: true;
  }): Promise<Dirent[]>;
  opendir(path: string, options?: OpendirOptions): Promise<Dir>;
  stat(path: string, options?: StatOptions): Promise<FileStat>;
  lstat(path: string, options?: StatOptions): Promise<FileStat>;
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
  read(path: string): Promise<FileRead>;
  readStream(path: string, range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  readRange(path: string, start: number, length: number): Promise<Uint8Array>;
  readMany(paths: readonly string[]): Promise<(Uint8Array | null)[]>;
  scan(path: string, options?: ScanOptions): Promise<ScanEntry[]>;
  writeMany(entries: readonly BulkEntry[]): Promise<BulkResult>;
  find(path: string, options?: FindOptions): Promise<FindResult[]>;
  tree(path: string, options?: TreeOptions): Promise<TreeListing>;
  du(path: string): Promise<DiskUsage>;
  changes(options?: ChangesOptions): Promise<ChangePage>;
}

export interface FindOptions extends OptionsOf<typeof findOptions> {}

export interface FindResult {
  path: string;
  type: EntryType;
  size: number;
  mtimeMs: number;
  version: Version;
}

export class FsError extends Error {
  readonly name: string;
  readonly code: FsErrorCode;
  readonly syscall?: string;
  readonly path?: string;
  readonly dest?: string;
  readonly oldest?: string;
  readonly conflicts?: readonly Conflict[];
  readonly refusal?: PathRefusal;
  constructor(code: FsErrorCode, fields?: FsErrorFields);
}

export type FsErrorCode = (typeof FS_ERROR_CODES)[number];

export interface FsErrorFields {
  syscall?: string;
  path?: string;
  dest?: string;
  reason?: string;
  oldest?: string;
  conflicts?: readonly Conflict[];
  refusal?: PathRefusal;
  cause?: unknown;
}

export interface FsckProblem {
  check: string;
  subject: string;
  repaired: boolean;
}

export interface FsckReport {
  ok: boolean;
  problems: FsckProblem[];
  truncated: boolean;
}

export interface GcOptions extends OptionsOf<typeof gcOptions> {}

export interface GcResult {
  steps: number;
  bytesBefore: number;
  bytesAfter: number;
}

export interface GetOptions<Encoding extends ExecEncoding = ExecEncoding> extends Omit<OptionsOf<typeof getOptions>, "encoding"> {
  encoding?: Encoding;
}

export interface GetWorkspaceOptions extends Identity {
  watch?: Partial<WatchPolicy>;
}

export type Git = { readonly [Name in keyof Methods]: Bound<Methods[Name]>; } & {
  cli(call: GitCall): Promise<CliResult>;
};

export interface GitBlameLine {
  readonly line: number;
  readonly oid: Oid;
  readonly path: string;
  readonly originalLine: number;
  readonly author: string;
  readonly email: string;
  readonly seconds: number;
  readonly subject: string;
  readonly boundary: boolean;
  readonly text: string;
}

export interface GitCall extends Omit<CliCall, "cwd"> {
  readonly cwd?: string;
}

export interface GitDiffFile {
  readonly path: string;
  readonly from?: string;
  readonly status: string;
  readonly similarity?: number;
  readonly modes: {
    readonly from: number | null;
    readonly to: number | null;
  };
  readonly oids: {
    readonly from: Oid | null;
    readonly to: Oid | null;
  };
  readonly binary: boolean;
  readonly added: number | null;
  readonly deleted: number | null;
}

export interface GitDiffOptions extends CallOptions, DiffRequest {}

export class GitError extends Error {
  readonly code: GitErrorCode;
  readonly name = "GitError";
  readonly exitCode: number;
  readonly prefix: "fatal" | "error" | "";
  readonly hint: string | undefined;
  constructor(code: GitErrorCode, message: string, { exitCode, prefix, hint, ...options }?: GitErrorOptions);
}

export type GitErrorCode =
"ENOREPO" | "ECORRUPT" |
"ENOTFOUND" | "EAMBIGUOUS" | "EEXIST" |
"EINVAL" |
"EUSAGE" |
"ESTATE" | "ECONFLICT" | "ELOCKED" |
"ESTALE" |
"ETOOBIG" | "ENETWORK" | "EAUTH" | "EREJECTED" |
"EUNSUPPORTED";

export interface GitErrorOptions extends ErrorOptions {
  exitCode?: number;
  prefix?: "fatal" | "error" | "";
  hint?: string;
}

export type GitFactory = (options: GitOptions) => Git | Promise<Git>;

export interface GitFileVersion {
  readonly mode: number;
  readonly oid: Oid;
}

export interface GitGrepOptions extends CallOptions, GrepRequest {}

export interface GitHost {
  readonly fs: GitFileSystem;
  readonly now: () => number;
  readonly timezone?: (seconds: number) => number;
  readonly fetch?: typeof fetch;
  readonly credentials?: CredentialSource | Readonly<Record<string, Credential>>;
  readonly run?: RunCommandLine;
  readonly identity?: {
    readonly name: string;
    readonly email: string;
  };
  readonly limits?: Partial<GitLimits>;
  readonly work?: WorkBudget;
  readonly signal?: AbortSignal | undefined;
  readonly epoch?: string;
  readonly releaseWhile?: <T>(work: () => Promise<T>) => Promise<T>;
  readonly cache?: CommandCache;
}

export interface GitLimits {
  memory: number;
  wholeObject: number;
  metadataObject: number;
  deltaDepth: number;
  symrefDepth: number;
  includeDepth: number;
  tagDepth: number;
  treeDepth: number;
  treeEntries: number;
  repeatedBytes: number;
  resolvedBytes: number;
  resolvedBytesPerPackByte: number;
  advertisedRefs: number;
  sidebandText: number;
  idleTimeoutMs: number;
}

export interface GitLogOptions extends CallOptions, LogOptions_1 {}

export type GitOperation = "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "bisect";

export interface GitOptions extends GitHost {
  readonly locks?: RepositoryLocks;
  readonly sharedCache?: GitCache;
  readonly cwd?: string;
}

export interface GitRestoreOptions extends CallOptions {
  readonly paths: readonly string[];
  readonly source?: string;
  readonly staged?: boolean;
  readonly worktree?: boolean;
}

export type GitSettings = Partial<Pick<GitHost, "fetch" | "credentials" | "identity" | "limits" | "timezone" | "run">>;

export interface GlobOptions extends OptionsOf<typeof globOptions> {}

export interface GrepBudget {
  bytes: number;
  steps: number;
}

export interface GrepContextLine {
  line: number;
  text: string;
  cut?: true;
}

export interface GrepFile {
  path: string;
  count: number;
}

export interface GrepHit {
  path: string;
  line: number;
  text: string;
  column: number;
  offset: number;
  ranges: GrepRange[];
  cut?: true;
  before: GrepContextLine[];
  after: GrepContextLine[];
}

export interface GrepMatch {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly ranges: readonly {
    readonly start: number;
    readonly end: number;
  }[];
}

export type GrepMessage = {
  type: "begin" | "match" | "context" | "end";
  data: Record<string, unknown>;
};

export type GrepMode = "lines" | "files" | "count" | "json";

export interface GrepOptions extends OptionsOf<typeof grepOptions> {}

export interface GrepRange {
  start: number;
  end: number;
}

export interface GrepResult {
  engine: "container" | "local";
  hits: GrepHit[];
  files: GrepFile[];
  messages: GrepMessage[];
  truncated: boolean;
  truncatedBy: GrepTruncation | null;
  cursor: string | null;
  stats: GrepStats;
}

export interface GrepStats {
  filesSearched: number;
  filesWithHits: number;
  lines: number;
  bytesSearched: number;
  filesSkippedByIndex: number;
  skippedBinary: number;
  skippedTooLarge: number;
  filesIgnored: number;
  filesLimited: number;
  steps: number;
}

export interface GrepStreamOptions extends OptionsOf<typeof grepStreamOptions> {}

export type GrepTruncation = "hits" | "bytes" | "steps" | "output";

export interface GroupPage {
  groups: LogGroup[];
  cursor: string | null;
}

export type HandleContent = string | ArrayBufferView | Iterable<string | ArrayBufferView> | AsyncIterable<string | ArrayBufferView>;

export interface HandleFileOptions {
  encoding?: TextEncodingName | null;
  signal?: AbortSignal;
}

export interface HandleReadOptions {
  offset?: number | null;
  length?: number | null;
  position?: number | bigint | null;
}

export interface HeadPosition {
  readonly branch: string | null;
  readonly oid: Oid | null;
}

export interface History {
  log(options?: LogOptions): Promise<LogPage>;
  groups(options?: LogOptions): Promise<GroupPage>;
  diff(options: DiffOptions): Promise<HistoryDiff>;
  undo(options: UndoOptions): Promise<RevertResult>;
  blame(path: string): Promise<Blame>;
  purge(path: string): Promise<PurgeResult>;
  use(): Promise<HistoryUsage>;
}

export interface HistoryDiff {
  files: DiffFile[];
  truncated: boolean;
}

export interface HistoryUsage {
  bytes: number;
  entries: number;
  oldest: Version;
  oldestMs: number | null;
  snapshots: number;
}

export interface Identity {
  actor?: string;
  callId?: string;
}

export interface InitOptions extends CallOptions {
  readonly directory?: string;
  readonly bare?: boolean;
  readonly initialBranch?: string;
}

export interface InitResult {
  readonly gitDir: string;
  readonly existed: boolean;
  readonly branch: string;
}

export interface Kept {
  path: string;
  files: number;
  reason: string;
}

export interface Limits {
  rowBytes: number;
  chunkBytes: number;
  nodeEntries: number;
  denseBytes: number;
  nameBytes: number;
  pathBytes: number;
  symlinks: number;
  fileBytes: number;
  readFileBytes: number;
  bulkBytes: number;
  bulkEntries: number;
  cacheBytes: number;
  cachedDirectoryEntries: number;
  openHandles: number;
  handleBytes: number;
  listPage: number;
  changesPage: number;
  globResults: number;
  walkEntries: number;
  gcStepRows: number;
  databaseBytes: number;
}

export interface ListOptions extends OptionsOf<typeof listOptions> {}

export interface LogDecoration {
  readonly name: string;
  readonly kind: "branch" | "remoteBranch" | "tag" | "stash" | "HEAD" | "grafted" | "none";
}

export interface LogEntry {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly subject: string;
  readonly message: string;
  readonly refs: readonly string[];
  readonly decorations: readonly LogDecoration[];
}

export interface LogFilter extends OptionsOf<typeof logFilter> {}

export interface LogGroup {
  group: number;
  actor?: string;
  callId?: string;
  timeMs: number;
  cursor: Version;
  before: Version;
  entries: number;
  ops: Partial<Record<Change["op"], number>>;
  paths: string[];
}

export interface LogOptions extends OptionsOf<typeof logOptions> {}

export interface LogPage {
  entries: Change[];
  cursor: string | null;
}

export interface LsRemoteOptions extends CallOptions, Pick<Progress, "signal"> {
  readonly remote?: string;
}

export interface MaintainOptions extends OptionsOf<typeof maintainOptions> {}

export interface MaintainResult {
  more: boolean;
  nextDueMs: number | null;
}

export type MergeOptions = CallOptions & (ResumeAction | (MergeRequest & {
  readonly revision: string;
  readonly action?: undefined;
}));

export interface MergeOutcome {
  readonly outcome: "done" | "conflict";
  readonly kind?: "up-to-date" | "fast-forward" | "merged" | "stopped" | "conflict";
  readonly head: Oid;
  readonly conflicts: readonly string[];
  readonly commits: readonly Oid[];
  readonly output: string;
}

export interface MkdirOptions extends OptionsOf<typeof mkdirOptions> {}

export type Mode = number | string;

export interface MoveOptions extends CallOptions {
  readonly from: string;
  readonly to: string;
  readonly force?: boolean;
}

export type NameEncoding = "utf8" | "utf-8" | {
  encoding?: "utf8" | "utf-8" | null;
} | null;

export type NetworkPolicy = "none" | "open" | {
  readonly allow: readonly string[];
};

export interface OpendirOptions extends OptionsOf<typeof opendirOptions> {}

export interface OutputFile {
  readonly path: string;
  readonly bytes: number;
  readonly complete: boolean;
}

export interface PastWorkspace {
  readonly fs: SearchableFileSystem;
  readonly git: Git;
}

export interface PathPolicy {
  root?: string;
  deny?: readonly string[];
  writable?: readonly string[];
  readOnly?: boolean;
}

export type PathRefusal = "OUTSIDE_ROOT" | "DENIED" | "NOT_WRITABLE";

export type PickOptions = CallOptions & (ResumeAction | {
  readonly revisions: readonly string[];
  readonly noCommit?: boolean;
  readonly mainline?: number;
  readonly action?: undefined;
});

export type PointInTime = Version | "now" | (string & {});

export type ProcessEvent = {
  readonly seq: number;
  readonly name: "stdout" | "stderr";
  readonly value: Uint8Array;
} | {
  readonly seq: number;
  readonly name: "exit";
  readonly value: ProcessExit;
};

export interface ProcessExit {
  readonly state: "exited" | "killed" | "timedout" | "lost";
  readonly exitCode: number | null;
  readonly signal?: SignalName;
  readonly reason?: string;
  readonly sync?: SyncReport;
}

export interface Progress {
  readonly onProgress?: (text: string) => void;
  readonly signal?: AbortSignal;
}

export interface PullOptions extends CallOptions, Progress {
  readonly remote?: string;
  readonly branch?: string;
  readonly rebase?: boolean;
  readonly fastForwardOnly?: boolean;
}

export interface PurgeResult {
  states: number;
  bytes: number;
  shared: string[];
}

export type PushKind = "new" | "fast-forward" | "forced" | "deleted" | "same" | "rejected" | "remote-rejected";

export interface PushOptions extends CallOptions, Progress {
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  readonly force?: boolean;
  readonly forceWithLease?: boolean | string;
  readonly setUpstream?: boolean;
  readonly tags?: boolean;
  readonly delete?: boolean;
  readonly atomic?: boolean;
}

export interface PushedRef {
  readonly kind: PushKind;
  readonly from: string;
  readonly to: string;
  readonly oids: {
    readonly before: Oid | null;
    readonly after: Oid | null;
  };
  readonly reason?: string;
  readonly tracking?: string;
  readonly flag: string;
  readonly summary: string;
}

export interface ReadFileOptions<Encoding extends TextEncodingName | null | undefined = TextEncodingName | null> extends Omit<OptionsOf<typeof readFileOptions>, "encoding"> {
  encoding?: Encoding;
}

export interface ReadLinesOptions {
  encoding?: "utf8" | "utf-8";
  start?: number;
  end?: number;
  highWaterMark?: number;
  autoClose?: boolean;
  signal?: AbortSignal;
}

export interface ReadOptions extends CallOptions {
  readonly revision?: string;
  readonly path: string;
}

export interface ReaddirOptions extends OptionsOf<typeof readdirOptions> {}

export type RebaseOptions = CallOptions & (ResumeAction | (Omit<RebaseRequest, "merges"> & {
  readonly action?: undefined;
}));

export type RebaseStep = {
  readonly command: "pick" | "edit" | "drop" | "fixup" | "squash";
  readonly revision: string;
} | {
  readonly command: "reword";
  readonly revision: string;
  readonly message: string;
};

export interface RefInfo {
  readonly name: string;
  readonly oid: Oid;
  readonly type: "commit" | "tree" | "blob" | "tag";
  readonly peeled?: Oid;
  readonly symref?: string;
  readonly upstream?: string;
  readonly current: boolean;
}

export interface RefsOptions extends CallOptions {
  readonly prefix?: string;
}

export interface RemoteInfo {
  readonly name: string;
  readonly url: string;
  readonly pushUrls: readonly string[];
}

export interface RemoteRef {
  readonly name: string;
  readonly oid: Oid;
  readonly symref?: string;
}

export interface RemotesOptions extends CallOptions {}

export interface RemoveOptions extends CallOptions {
  readonly paths: readonly string[];
  readonly cached?: boolean;
  readonly recursive?: boolean;
  readonly force?: boolean;
}

export interface RemoveResult {
  readonly removed: readonly string[];
}

export interface RenameOptions extends OptionsOf<typeof renameOptions> {}

export type RepositoryLocks = Map<string, Promise<void>>;

export interface ResetOptions extends CallOptions {
  readonly mode?: "soft" | "mixed" | "hard" | "merge" | "keep";
  readonly revision?: string;
  readonly paths?: readonly string[];
}

export interface ResetResult {
  readonly head: Oid | null;
  readonly unstaged: readonly string[];
}

export interface ResolveOptions extends CallOptions {
  readonly revision: string;
}

export interface RestoreOptions extends OptionsOf<typeof restoreOptions> {}

export interface Retention {
  days: number;
  entries: number;
  bytes: number;
}

export interface RevertResult {
  changes: RevertedChange[];
  total: number;
  conflicts: Conflict[];
  kept?: Kept[];
  group: number | null;
  cursor: Version;
}

export interface RevertedChange {
  path: string;
  action: "remove" | "restore" | "move" | "write" | "attributes";
  from?: string;
  merged?: true;
}

export interface RmOptions extends OptionsOf<typeof rmOptions> {}

export interface RmdirOptions extends OptionsOf<typeof rmdirOptions> {}

export interface SandboxBinding {
  fetch(request: Request): Promise<Response>;
}

export interface SandboxSettings extends SyncOptions {
  idleMs?: number;
  secret?: string;
  previewUrl?: (port: number) => Promise<string>;
}

export interface ScanEntry {
  name: string;
  stat: FileStat;
}

export interface ScanOptions extends OptionsOf<typeof scanOptions> {}

export interface Searchable {
  grep(pattern: string | readonly string[], path: string, options?: GrepOptions): Promise<GrepResult>;
  grepStream(pattern: string | readonly string[], path: string, options?: GrepStreamOptions): AsyncIterable<GrepHit>;
}

export interface SearchableFileSystem extends FileSystem, Searchable {}

export interface ServeOptions {
  actor?: string;
}

export interface SetConfigOptions extends ConfigOptions {
  readonly value: string | null;
}

export interface Shell {
  exec(command: Command, options: ExecOptions<"utf8"> & {
    encoding: "utf8";
  }): Promise<ExecHandle<"utf8">>;
  exec(command: Command, options?: ExecOptions<"bytes">): Promise<ExecHandle<"bytes">>;
  exec(command: Command, options?: ExecOptions): Promise<ExecHandle>;
  exec(script: TemplateStringsArray, ...values: TemplateValue[]): Promise<ExecHandle<"utf8">>;
  get(id: string, options: GetOptions<"utf8"> & {
    encoding: "utf8";
  }): Promise<ExecHandle<"utf8">>;
  get(id: string, options?: GetOptions<"bytes">): Promise<ExecHandle<"bytes">>;
  get(id: string, options?: GetOptions): Promise<ExecHandle>;
  list(options?: ListOptions): Promise<ExecRecord[]>;
  remove(id: string): Promise<void>;
  ready(): Promise<void>;
  exposePort(port: number): Promise<ExposedPort>;
  unexposePort(port: number): Promise<void>;
  ports(): Promise<ExposedPort[]>;
}

export class ShellError extends Error {
  readonly name = "ShellError";
  readonly code: ShellErrorCode;
  constructor(code: ShellErrorCode, reason: string, options?: ErrorOptions);
}

export type ShellErrorCode =
"EINVAL" |
"ENOENT" |
"EEXIST" |
"EBUSY" |
"EAGAIN" |
"EPIPE" |
"ENOSYS" |
"EIO";

export type ShellFactory = (host: WorkspaceShellHost) => Shell | Promise<Shell>;

export type ShellLimits = { readonly [Name in keyof typeof shellLimits]: number; };

export interface ShellSettings {
  network?: NetworkPolicy;
  worker?: Partial<WorkerShellLimits>;
  limits?: Partial<ShellLimits>;
}

export type SignalName = "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP" | "SIGQUIT" | "SIGUSR1" | "SIGUSR2";

export interface Snapshot {
  id: string;
  name: string;
  version: Version;
  timeMs: number;
  pinned: boolean;
  actor?: string;
  callId?: string;
}

export interface Snapshots {
  create(name?: string, options?: {
    pinned?: boolean;
  }): Promise<Snapshot>;
  list(): Promise<Snapshot[]>;
  get(id: string): Promise<Snapshot>;
  remove(id: string): Promise<void>;
  restore(moment: PointInTime, options?: RestoreOptions): Promise<RevertResult>;
}

export interface StashEntry {
  readonly index: number;
  readonly name: string;
  readonly oid: Oid;
  readonly base: Oid;
  readonly message: string;
}

export interface StashOptions extends CallOptions {
  readonly action: "push" | "pop" | "apply" | "drop" | "clear" | "list";
  readonly message?: string;
  readonly includeUntracked?: boolean;
  readonly keepIndex?: boolean;
  readonly stash?: string;
}

export interface StatFs {
  type: number;
  bsize: number;
  blocks: number;
  bfree: number;
  bavail: number;
  files: number;
  ffree: number;
  historyBytes?: number;
}

export interface StatOptions extends OptionsOf<typeof statOptions> {}

export interface StatusEntry {
  readonly path: string;
  readonly from?: string;
  readonly index: string;
  readonly worktree: string;
  readonly unmerged?: boolean;
  readonly similarity?: number;
  readonly versions?: {
    readonly head: GitFileVersion | null;
    readonly index: GitFileVersion | null;
    readonly worktreeMode: number | null;
  };
  readonly stages?: readonly (GitFileVersion | null)[];
}

export interface StatusOptions extends CallOptions {
  readonly paths?: readonly string[];
  readonly untracked?: "no" | "normal" | "all";
  readonly ignored?: boolean;
}

export interface StatusReport {
  readonly branch: string | null;
  readonly head: Oid | null;
  readonly tracking: StatusTracking | null;
  readonly upstream?: string;
  readonly ahead?: number;
  readonly behind?: number;
  readonly entries: readonly StatusEntry[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly operation: GitOperation | null;
  readonly clean: boolean;
}

export interface StatusTracking {
  readonly name: string;
  readonly ref: string;
  readonly gone: boolean;
  readonly ahead: number;
  readonly behind: number;
}

export interface SwitchOptions extends CallOptions, SwitchRequest {}

export interface SwitchResult {
  readonly from: HeadPosition;
  readonly to: HeadPosition;
}

export type SymlinkType = "file" | "dir" | "junction";

export interface SyncOptions {
  policy?: readonly {
    glob: string;
    keep: "durable" | "container-only";
  }[];
  budget?: {
    entries?: number;
    bytes?: number;
  };
}

export interface SyncReport {
  readonly pushed: SyncCount;
  readonly pulled: SyncCount;
  readonly durationMs: number;
  readonly skipped: readonly {
    readonly path: string;
    readonly reason: string;
  }[];
  readonly conflicts: readonly {
    readonly path: string;
    readonly keptAt: string;
  }[];
}

export interface TagOptions extends CallOptions {
  readonly name: string;
  readonly revision?: string;
  readonly message?: string;
  readonly force?: boolean;
}

export type TemplateValue = string | number | boolean | readonly (string | number | boolean)[];

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

export type TextEncodingName = "utf8" | "utf-8" | "latin1" | "binary" | "ascii" | "base64" | "base64url" | "hex" | "utf16le" | "ucs2";

export type Time = Date | number | string;

export interface ToolState {
  disabledTools(): Promise<readonly string[]>;
  saveDisabledTools(names: readonly string[]): Promise<void>;
  seen(actor: string, path: string): ReadVersion | undefined | Promise<ReadVersion | undefined>;
  recordRead(actor: string, path: string, seen: ReadVersion | null): void | Promise<void>;
  proposals(actor: string): Promise<readonly Proposal[]>;
  propose(actor: string, proposals: readonly Proposal[]): Promise<void>;
  dropProposals(actor: string, paths?: readonly string[]): Promise<void>;
  keepSnapshots(callId: string, snapshots: readonly FileSnapshot[]): Promise<void>;
  snapshots(callId: string): Promise<readonly FileSnapshot[] | undefined>;
  audit(record: AuditRecord): void | Promise<void>;
  auditLog(options?: {
    limit?: number;
    before?: number;
  }): Promise<readonly AuditEntry[]>;
  reserveAgent(parent: string, limit: number): Promise<boolean>;
  send(message: AgentMessage, limits: SendLimits): Promise<"sent" | "queue" | "rate" | "sender-rate">;
  inbox(agentId: string): Promise<readonly AgentMessage[]>;
}

export interface TreeListing {
  text: string;
  files: number;
  directories: number;
  truncated: boolean;
}

export interface TreeOptions extends OptionsOf<typeof treeOptions> {}

export interface UndoOptions extends OptionsOf<typeof undoOptions> {}

export type Version = string;

export interface VersionGuard extends OptionsOf<typeof versionGuard> {}

export interface WatchEvent {
  eventType: "rename" | "change";
  filename: string;
  change: Change;
}

export type WatchIgnore = string | RegExp | ((filename: string) => boolean);

export interface WatchOptions extends OptionsOf<typeof watchOptions> {}

export interface WatchPolicy {
  waitMs: number;
  attempts: number;
  pauseMs: number;
}

export interface WorkerShellLimits {
  commands: number;
  loopIterations: number;
  callDepth: number;
  workUnits: number;
  outputBytes: number;
  stringBytes: number;
  work: Partial<WorkLimits>;
  timeoutMs: number;
}

export class Workspace extends Workspace_1 {
  constructor(options: WorkspaceOptions);
}

export interface WorkspaceCall {
  verb: string;
  args: unknown[];
  actor?: string;
  callId?: string;
  at?: string;
  policies?: unknown[];
  body?: ReadableStream<Uint8Array>;
  filter?: (source: string, destination: string) => boolean | Promise<boolean>;
}

export interface WorkspaceClient extends Disposable {
  readonly fs: SearchableFileSystem;
  readonly git: Git;
  readonly shell: Shell;
  readonly [internals]: {
    readonly toolState: ToolState;
  };
  readonly history: History;
  readonly snapshots: Snapshots;
  at(moment: PointInTime): PastWorkspace;
  as(identity: Identity): WorkspaceClient;
  restrict(policy: WorkspacePolicy): WorkspaceClient;
  maintain(options?: Parameters<typeof maintain>[1]): ReturnType<typeof maintain>;
  gc(options?: Parameters<typeof gc>[1]): ReturnType<typeof gc>;
  fsck(options?: Parameters<typeof fsck>[1]): ReturnType<typeof fsck>;
}

export class WorkspaceContainer implements ContainerHost {
  #private;
  readonly backend: ExecBackend;
  readonly link: ContainerClient;
  readonly syncer: Syncer;
  preview: ContainerOptions["previewUrl"];
  constructor(volume: WriteView, { sandbox, secret, idleMs, previewUrl, policy, budget }: ContainerOptions);
  ready(): Promise<void>;
  sync(): Promise<SyncReport>;
  exposePort(port: number): Promise<{
    port: number;
    url: string;
  }>;
  unexposePort(port: number): Promise<void>;
  ports(): Promise<{
    port: number;
    url: string;
  }[]>;
  proxyPort(request: Request, port: number): Promise<Response>;
}

export interface WorkspaceNamespace {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId): unknown;
}

export class WorkspaceObject<Env = Cloudflare.Env> extends WorkspaceObject_1<Env> {
  protected createWorkspace(options: WorkspaceOptions): Workspace_1;
}

export interface WorkspaceOptions extends Identity {
  storage: DurableObjectStorage;
  id?: DurableObjectId;
  root?: string;
  limits?: Partial<Limits>;
  retention?: Partial<Retention>;
  now?: () => number;
  git?: GitFactory;
  gitSettings?: GitSettings;
  shell?: ShellFactory;
  shellSettings?: ShellSettings;
  sandbox?: SandboxBinding;
  container?: ContainerFactory;
  sandboxSettings?: SandboxSettings;
}

export interface WorkspacePolicy extends PathPolicy {
  allowContainer?: boolean;
}

export type WorkspaceReply = WorkspaceAnswer | {
  error: WireError;
};

export class WorkspaceRpcError extends Error {
  readonly name = "WorkspaceRpcError";
  readonly code: WorkspaceRpcErrorCode;
  readonly verb: string;
  readonly retryable: boolean;
  readonly overloaded: boolean;
  readonly remote: boolean;
  constructor(code: WorkspaceRpcErrorCode, verb: string, message: string, cause?: unknown);
}

export type WorkspaceRpcErrorCode = "ERR_WORKSPACE_REMOTE" | "ERR_WORKSPACE_TRANSPORT" | "ERR_WORKSPACE_DISPOSED";

export interface WorkspaceShellHost extends Omit<ShellHost, "worker"> {
  readonly volume: WriteView;
  readonly worker: Omit<ShellHost["worker"], "rg" | "searchText">;
}

export type WorkspaceStubLike = {
  readonly workspaceRpc: unknown;
} | DurableObjectStub;

export interface WriteFileOptions extends OptionsOf<typeof writeFileOptions> {}

export interface WriteResult {
  version: Version;
  contentVersion: Version;
  size: number;
}

export function getWorkspace(namespace: WorkspaceNamespace, name: string, options?: GetWorkspaceOptions): WorkspaceClient;
function getWorkspace(stub: WorkspaceStubLike, options?: GetWorkspaceOptions): WorkspaceClient;

export function proxyPort(workspace: {
  fetch(request: Request): Promise<Response>;
}, request: Request, port: number): Promise<Response>;

export function serveWorkspace(workspace: Workspace_1, call: WorkspaceCall, options?: ServeOptions): Promise<WorkspaceReply>;

// Not exported; the declarations above refer to them.

interface BlameRequest {
  readonly path: string;
  readonly revision?: string;
  readonly lines?: {
    readonly first: number;
    readonly last: number;
  };
}

type Bound<M> = M extends ((call: Call, ...rest: infer Rest) => infer Result) ? (...rest: Rest) => Result : never;

interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface DiffRequest {
  readonly from?: string;
  readonly to?: string;
  readonly cached?: boolean;
  readonly paths?: readonly string[];
  readonly context?: number;
  readonly ignoreSpace?: boolean;
  readonly noPatch?: boolean;
}

const FS_ERROR_CODES: readonly ["EACCES",
"EAGAIN", "EBADF", "EBUSY",
"ECONFLICT",
"ABORT_ERR", "EEXIST",
"EFBIG",
"EGONE", "EINVAL",
"EIO", "EISDIR", "ELOOP", "EMFILE", "EMLINK", "ENAMETOOLONG", "ENOENT", "ENOSPC", "ENOSYS", "ENOTDIR", "ENOTEMPTY", "EPERM",
"EROFS",
"ESTALE",
"EVERSION", "EXDEV", "ERR_FS_CP_DIR_TO_NON_DIR", "ERR_FS_CP_EEXIST", "ERR_FS_CP_EINVAL", "ERR_FS_CP_NON_DIR_TO_DIR", "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY", "ERR_FS_EISDIR"];

type GitFileSystem = FileSystem & Partial<Fingerprinted> & Partial<DetachedContentStore>;

interface GrepRequest {
  readonly pattern: string;
  readonly syntax?: "basic" | "extended" | "fixed";
  readonly ignoreCase?: boolean;
  readonly word?: boolean;
  readonly revision?: string;
  readonly paths?: readonly string[];
}

interface LogOptions_1 {
  readonly revisions?: readonly string[];
  readonly paths?: readonly string[];
  readonly all?: boolean;
  readonly maxCount?: number;
  readonly skip?: number;
  readonly since?: string;
  readonly until?: string;
  readonly author?: string;
  readonly grep?: string;
  readonly firstParent?: boolean;
  readonly noMerges?: boolean;
  readonly reverse?: boolean;
  readonly follow?: boolean;
}

interface MergeRequest {
  readonly message?: string;
  readonly fastForward?: "auto" | "allow" | "only" | "never";
  readonly squash?: boolean;
  readonly noCommit?: boolean;
  readonly strategyOption?: "ours" | "theirs";
}

type Methods = typeof methods;

type Oid = string & {
  readonly __brand: "Oid";
};

type OptionValue<Kind> = Kind extends keyof OptionValues ? OptionValues[Kind] : Kind extends readonly (infer Word)[] ? Word : OptionsOf<Kind>;

interface OptionValues {
  flag: boolean;
  text: string;
  path: string;
  moment: string;
  count: number;
  positive: number;
  number: number;
  bound: number;
  positiveBound: number;
  time: Time;
  version: string | null;
  mode: Mode;
  openFlag: string | number;
  encoding: TextEncodingName;
  utf8: "utf8" | "utf-8" | null;
  copyMode: number;
  texts: string | readonly string[];
  paths: readonly string[];
  variables: Readonly<Record<string, string>>;
  off: false;
  any: unknown;
  bytes: Uint8Array;
  input: string | Uint8Array | ReadableStream<Uint8Array>;
  resume: "tail" | "full" | number;
  exclude: string | readonly string[] | ((path: string) => boolean);
  signal: AbortSignal;
  copyFilter: (source: string, destination: string) => boolean | Promise<boolean>;
  watchIgnore: WatchIgnore | readonly WatchIgnore[];
  buffer: ArrayBufferView;
  position: number | bigint;
}

type OptionsOf<Table> = { -readonly [Option in keyof Table]?: OptionValue<Table[Option]>; };

type Output<Encoding extends ExecEncoding> = Encoding extends "utf8" ? string : Uint8Array;

type ProcessName = Pick<ExecRequest, "id" | "actor" | "callId">;

interface RebaseRequest {
  readonly upstream?: string;
  readonly onto?: string;
  readonly branch?: string;
  readonly todo?: readonly RebaseStep[];
  readonly merges?: boolean;
}

type ResumeAction = {
  readonly action: "continue" | "abort" | "skip" | "quit";
};

type RunCommandLine = (request: {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}) => Promise<{
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}>;

interface Signature {
  readonly name: string;
  readonly email: string;
  readonly seconds: number;
  readonly zone: string;
  readonly undated?: boolean;
}

type StdinSource = Uint8Array | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

interface SwitchRequest {
  readonly to: string;
  readonly create?: boolean;
  readonly start?: string;
  readonly detach?: boolean;
  readonly force?: boolean;
}

interface SyncCount {
  readonly entries: number;
  readonly bytes: number;
}

type UpdateKind = "new" | "fast-forward" | "forced" | "tag" | "deleted" | "same" | "rejected" | "fetched";

interface WorkLimits {
  steps: number;
  stretchSteps: number;
  pauseSteps: number;
  heldBytes: number;
}

interface WorkspaceAnswer {
  value?: unknown;
  stream?: ReadableStream<Uint8Array>;
  target?: WireTarget;
}

function add(call: Call, options: AddOptions): Promise<AddResult>;

function addRemote(call: Call, { name, url }: AddRemoteOptions): Promise<void>;

function blame(call: Call, options: BlameOptions): Promise<GitBlameLine[]>;

function branch(call: Call, { name, start, force }: BranchOptions): Promise<CreatedRef>;

const byteRange: {
  readonly start: "count";
  readonly end: "count";
};

const changesOptions: {
  readonly since: "text";
  readonly path: "path";
  readonly limit: "count";
};

function cherryPick(call: Call, options: PickOptions): Promise<MergeOutcome>;

function clean(call: Call, options?: CleanOptions): Promise<string[]>;

function clone(call: Call, options: CloneOptions): Promise<CloneResult>;

function commit(call: Call, options: CommitOptions): Promise<CommitResult>;

const copyFileOptions: {
  readonly ifVersion: "version";
  readonly ifTargetVersion: "version";
  readonly exclusive: "flag";
};

const cpOptions: {
  readonly ifVersion: "version";
  readonly ifTargetVersion: "version";
  readonly recursive: "flag";
  readonly force: "flag";
  readonly errorOnExist: "flag";
  readonly dereference: "flag";
  readonly preserveTimestamps: "flag";
  readonly verbatimSymlinks: "flag";
  readonly mode: "copyMode";
  readonly filter: "copyFilter";
};

function deleteBranch(call: Call, { name, force }: DeleteBranchOptions): Promise<DeletedRef>;

function deleteTag(call: Call, { name }: DeleteTagOptions): Promise<DeletedRef>;

function diff(call: Call, options?: GitDiffOptions): Promise<DiffResult>;

const diffOptions: {
  readonly from: "moment";
  readonly to: "moment";
  readonly path: "path";
  readonly context: "number";
  readonly patches: "flag";
};

const execOptions: {
  readonly id: "text";
  readonly cwd: "path";
  readonly env: "variables";
  readonly stdin: "input";
  readonly encoding: readonly ["utf8", "bytes"];
  readonly timeoutMs: "number";
  readonly backend: readonly ["worker", "container"];
  readonly signal: "signal";
};

function fetch(call: Call, options?: FetchOptions): Promise<FetchResult>;

const findOptions: {
  readonly name: "text";
  readonly path: "text";
  readonly type: readonly ["file", "dir", "symlink"];
  readonly larger: "number";
  readonly smaller: "number";
  readonly newer: "time";
  readonly older: "time";
  readonly maxDepth: "count";
  readonly minDepth: "count";
  readonly limit: "count";
  readonly ignore: "flag";
};

function fsck(volume: VolumeStore, options?: {
  repair?: boolean;
}): Promise<FsckReport>;

function gc(volume: VolumeStore, options?: GcOptions): Promise<GcResult>;

const gcOptions: {
  readonly retention: {
    readonly days: "bound";
    readonly entries: "bound";
    readonly bytes: "bound";
  };
};

function getConfig(call: Call, { key }: ConfigOptions): Promise<string[]>;

const getOptions: {
  readonly resume: "resume";
  readonly encoding: readonly ["utf8", "bytes"];
};

const globOptions: {
  readonly cwd: "path";
  readonly exclude: "exclude";
  readonly dirs: "flag";
  readonly limit: "count";
  readonly ignore: "flag";
  readonly withFileTypes: "off";
  readonly followSymlinks: "off";
};

function grep(call: Call, options: GitGrepOptions): Promise<GrepMatch[]>;

const grepOptions: {
  readonly regex: "flag";
  readonly ignoreCase: "flag";
  readonly smartCase: "flag";
  readonly word: "flag";
  readonly line: "flag";
  readonly invert: "flag";
  readonly multiline: "flag";
  readonly dotAll: "flag";
  readonly include: "texts";
  readonly exclude: "texts";
  readonly types: "texts";
  readonly hidden: "flag";
  readonly ignore: "flag";
  readonly binary: "flag";
  readonly context: "count";
  readonly before: "count";
  readonly after: "count";
  readonly maxHits: "count";
  readonly maxPerFile: "count";
  readonly maxBytesPerLine: "count";
  readonly maxFileBytes: "count";
  readonly maxDepth: "count";
  readonly offset: "count";
  readonly engine: readonly ["auto", "local", "container"];
  readonly signal: "signal";
  readonly budget: {
    readonly bytes: "count";
    readonly steps: "count";
  };
  readonly cursor: "text";
  readonly mode: readonly ["lines", "files", "count", "json"];
};

const grepStreamOptions: {
  readonly regex: "flag";
  readonly ignoreCase: "flag";
  readonly smartCase: "flag";
  readonly word: "flag";
  readonly line: "flag";
  readonly invert: "flag";
  readonly multiline: "flag";
  readonly dotAll: "flag";
  readonly include: "texts";
  readonly exclude: "texts";
  readonly types: "texts";
  readonly hidden: "flag";
  readonly ignore: "flag";
  readonly binary: "flag";
  readonly context: "count";
  readonly before: "count";
  readonly after: "count";
  readonly maxHits: "count";
  readonly maxPerFile: "count";
  readonly maxBytesPerLine: "count";
  readonly maxFileBytes: "count";
  readonly maxDepth: "count";
  readonly offset: "count";
  readonly engine: readonly ["auto", "local", "container"];
  readonly signal: "signal";
  readonly budget: {
    readonly bytes: "count";
    readonly steps: "count";
  };
};

function init(call: Call, options?: InitOptions): Promise<InitResult>;

const listOptions: {
  readonly state: readonly ["running", "exited", "killed", "timedout", "lost"];
  readonly limit: "number";
};

function log(call: Call, options?: GitLogOptions): Promise<LogEntry[]>;

const logFilter: {
  readonly path: "path";
  readonly since: "moment";
  readonly until: "moment";
  readonly actor: "text";
  readonly callId: "text";
};

const logOptions: {
  readonly path: "path";
  readonly since: "moment";
  readonly until: "moment";
  readonly actor: "text";
  readonly callId: "text";
  readonly limit: "number";
  readonly cursor: "text";
};

function lsRemote(call: Call, { remote, signal }?: LsRemoteOptions): Promise<RemoteRef[]>;

function maintain(volume: VolumeStore, options?: MaintainOptions): Promise<MaintainResult>;

const maintainOptions: {
  readonly budget: "positive";
};

function merge(call: Call, options: MergeOptions): Promise<MergeOutcome>;

const methods: {
  readonly init: typeof init;
  readonly clone: typeof clone;
  readonly status: typeof status;
  readonly add: typeof add;
  readonly remove: typeof remove;
  readonly move: typeof move;
  readonly commit: typeof commit;
  readonly restore: typeof restore;
  readonly reset: typeof reset;
  readonly clean: typeof clean;
  readonly log: typeof log;
  readonly diff: typeof diff;
  readonly read: typeof read;
  readonly resolve: typeof resolve;
  readonly refs: typeof refs;
  readonly branch: typeof branch;
  readonly deleteBranch: typeof deleteBranch;
  readonly switch: typeof switchTo;
  readonly tag: typeof tag;
  readonly deleteTag: typeof deleteTag;
  readonly merge: typeof merge;
  readonly cherryPick: typeof cherryPick;
  readonly revert: typeof revert;
  readonly rebase: typeof rebase;
  readonly stash: typeof stash;
  readonly fetch: typeof fetch;
  readonly pull: typeof pull;
  readonly push: typeof push;
  readonly lsRemote: typeof lsRemote;
  readonly remotes: typeof remotes;
  readonly addRemote: typeof addRemote;
  readonly grep: typeof grep;
  readonly blame: typeof blame;
  readonly getConfig: typeof getConfig;
  readonly setConfig: typeof setConfig;
};

const mkdirOptions: {
  readonly ifVersion: "version";
  readonly recursive: "flag";
  readonly mode: "mode";
};

function move(call: Call, { from, to, force }: MoveOptions): Promise<void>;

const opendirOptions: {
  readonly encoding: "utf8";
  readonly bufferSize: "positive";
  readonly recursive: "flag";
};

function pull(call: Call, options?: PullOptions): Promise<MergeOutcome>;

function push(call: Call, options?: PushOptions): Promise<PushedRef[]>;

function read(call: Call, { revision, path }: ReadOptions): Promise<Uint8Array>;

const readFileOptions: {
  readonly encoding: "encoding";
  readonly flag: "openFlag";
  readonly signal: "signal";
  readonly autocrlf: "any";
};

const readdirOptions: {
  readonly encoding: "utf8";
  readonly withFileTypes: "flag";
  readonly recursive: "flag";
};

function rebase(call: Call, options: RebaseOptions): Promise<MergeOutcome>;

function refs(call: Call, { prefix }?: RefsOptions): Promise<RefInfo[]>;

function remotes(call: Call, _options?: RemotesOptions): Promise<RemoteInfo[]>;

function remove(call: Call, options: RemoveOptions): Promise<RemoveResult>;

const renameOptions: {
  readonly ifVersion: "version";
  readonly ifTargetVersion: "version";
};

function reset(call: Call, { mode, revision, paths }?: ResetOptions): Promise<ResetResult>;

function resolve(call: Call, { revision }: ResolveOptions): Promise<Oid | null>;

function restore(call: Call, options: GitRestoreOptions): Promise<void>;

const restoreOptions: {
  readonly paths: "paths";
  readonly dryRun: "flag";
};

function revert(call: Call, options: PickOptions): Promise<MergeOutcome>;

const rmOptions: {
  readonly ifVersion: "version";
  readonly maxRetries: "count";
  readonly retryDelay: "count";
  readonly recursive: "flag";
  readonly force: "flag";
};

const rmdirOptions: {
  readonly ifVersion: "version";
  readonly maxRetries: "count";
  readonly retryDelay: "count";
  readonly recursive: "off";
};

const scanOptions: {
  readonly after: "text";
  readonly limit: "count";
};

function setConfig(call: Call, { key, value }: SetConfigOptions): Promise<void>;

function stash(call: Call, options: StashOptions): Promise<StashEntry[]>;

const statOptions: {
  readonly bigint: "off";
};

function status(call: Call, options?: StatusOptions): Promise<StatusReport>;

function switchTo(call: Call, options: SwitchOptions): Promise<SwitchResult>;

function tag(call: Call, { name, revision, message, force }: TagOptions): Promise<CreatedRef>;

const treeOptions: {
  readonly depth: "count";
  readonly limit: "count";
};

const undoOptions: {
  readonly callId: "text";
  readonly group: "number";
  readonly path: "path";
  readonly since: "moment";
  readonly actor: "text";
  readonly dryRun: "flag";
  readonly force: "flag";
  readonly merge: "flag";
};

const versionGuard: {
  readonly ifVersion: "version";
};

const watchOptions: {
  readonly recursive: "flag";
  readonly signal: "signal";
  readonly encoding: "utf8";
  readonly persistent: "flag";
  readonly ignore: "watchIgnore";
  readonly since: "text";
};

const writeFileOptions: {
  readonly ifVersion: "version";
  readonly encoding: "encoding";
  readonly mode: "mode";
  readonly flag: "openFlag";
  readonly flush: "flag";
  readonly signal: "signal";
};

export {};
