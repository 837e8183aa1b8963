/** `@cloudflare/workspace`: the public surface, by name. */
export type { WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
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
  Changes,
  ChangesOptions,
  Conflict,
  Content,
  CopyFileOptions,
  CpOptions,
  DiffFile,
  DiffOptions,
  Dir,
  Dirent,
  DiskUse,
  EntryType,
  FileHandle,
  FileRead,
  FileStat,
  FileSystem,
  FindOptions,
  Found,
  GlobOptions,
  GrepAnswer,
  GrepFile,
  GrepHit,
  GrepMode,
  GrepOptions,
  GrepStats,
  GrepStreamOptions,
  GroupPage,
  History,
  HistoryDiff,
  HistoryUse,
  Identity,
  IfVersion,
  Kept,
  Limits,
  LogGroup,
  LogOptions,
  LogPage,
  MkdirOptions,
  Moment,
  PathPolicy,
  PathRefusal,
  Purged,
  RenameOptions,
  Retention,
  Reversal,
  Reverted,
  RmOptions,
  ScanEntry,
  Searchable,
  SearchableFileSystem,
  Snapshot,
  Snapshots,
  StatFs,
  TextEncodingName,
  Time,
  TreeOptions,
  TreeText,
  UndoOptions,
  Version,
  WatchEvent,
  WatchOptions,
  WriteFileOptions,
  Written,
} from "@workspace/vfs";
export { FsError } from "@workspace/vfs";
export {
  type GetWorkspaceOptions,
  getWorkspace,
  type WorkspaceClient,
  type WorkspaceNamespace,
} from "./client/get-workspace.ts";
export { WorkspaceRpcError, type WorkspaceRpcErrorCode } from "./client/rpc-error.ts";
export type { ContainerFactory, SandboxSettings, WorkspaceContainer } from "./container/container.ts";
export { ContainerError, type ContainerErrorCode } from "./container/container-error.ts";
export type { Sandbox as SandboxBinding } from "./container/link.ts";
export { proxyPort } from "./container/proxy-port.ts";
export type { GitFactory, GitSettings } from "./git/workspace-git.ts";
export type { PastWorkspace } from "./history/past-workspace.ts";
export { type ServeOptions, serveWorkspace } from "./server/serve-workspace.ts";
export type { NetworkPolicy } from "./shell/network-policy.ts";
export type { ShellFactory, ShellSettings } from "./shell/workspace-shell.ts";
export { Workspace, WorkspaceObject } from "./whole-workspace.ts";
export type { WorkspaceOptions, WorkspacePolicy } from "./workspace.ts";
