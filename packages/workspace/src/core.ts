/**
 * `@cloudflare/workspace/core`: fs, search and history. git, the shell and the connection to a container are passed to it:
 * `new Workspace({ storage, git: createGit, shell: createShell, sandbox, container: openContainer })`.
 */
export type {
  FsErrorCode,
  GrepBudget,
  GrepContextLine,
  GrepMessage,
  GrepRange,
  GrepTruncation,
  WorkspaceCall,
  WorkspaceReply,
} from "@workspace/protocol";
export type {
  ExecEvent,
  ExecHandle,
  ExecOptions,
  ExecRecord,
  ExecResult,
  ExecState,
  Shell,
  SignalName,
  SyncReport,
} from "@workspace/shell";
export type {
  Blame,
  BlameLine,
  BulkEntry,
  BulkResult,
  ByteRange,
  Change,
  ChangeOp,
  ChangePage,
  ChangesOptions,
  Conflict,
  Content,
  CopyFileOptions,
  CpOptions,
  DiffFile,
  DiffOptions,
  DiffStatus,
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
  FsckProblem,
  FsckReport,
  GcOptions,
  GcResult,
  GlobOptions,
  GrepFile,
  GrepHit,
  GrepMode,
  GrepOptions,
  GrepResult,
  GrepStats,
  GrepStreamOptions,
  GroupPage,
  History,
  HistoryDiff,
  HistoryUsage,
  Identity,
  Kept,
  Limits,
  LogFilter,
  LogGroup,
  LogOptions,
  LogPage,
  MaintainOptions,
  MaintainResult,
  MkdirOptions,
  PathPolicy,
  PathRefusal,
  PointInTime,
  PurgeResult,
  RenameOptions,
  Retention,
  RevertedChange,
  RevertResult,
  RmOptions,
  ScanEntry,
  Searchable,
  SearchableFileSystem,
  Snapshot,
  Snapshots,
  StatFs,
  TextEncodingName,
  Time,
  TreeListing,
  TreeOptions,
  UndoOptions,
  Version,
  VersionGuard,
  WatchEvent,
  WatchOptions,
  WriteFileOptions,
  WriteResult,
} from "@workspace/vfs";
export { FsError } from "@workspace/vfs";
export {
  type GetWorkspaceOptions,
  getWorkspace,
  type WorkspaceClient,
  type WorkspaceNamespace,
  type WorkspaceStubLike,
} from "./client/get-workspace.ts";
export { WorkspaceRpcError, type WorkspaceRpcErrorCode } from "./client/rpc-error.ts";
export type { ContainerFactory, SandboxSettings, WorkspaceContainer } from "./container/container.ts";
export type { Sandbox as SandboxBinding } from "./container/container-client.ts";
export { ContainerError, type ContainerErrorCode } from "./container/container-error.ts";
export { proxyPort } from "./container/proxy-port.ts";
export type { GitFactory, GitSettings } from "./git/workspace-git.ts";
export type { PastWorkspace } from "./past-workspace.ts";
export { type ServeOptions, serveWorkspace } from "./server/serve-workspace.ts";
export type { NetworkPolicy } from "./shell/network-policy.ts";
export type { ShellFactory, ShellSettings } from "./shell/workspace-shell.ts";
export { Workspace, type WorkspaceOptions, type WorkspacePolicy } from "./workspace.ts";
export { WorkspaceObject } from "./workspace-object.ts";
