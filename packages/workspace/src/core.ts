/** `@cloudflare/workspace/core`: fs, search and history, without git and shell, which are then given to it: `new Workspace({ storage, git: createGit, shell: createShell })`. */
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
  BulkEntry,
  BulkResult,
  ByteRange,
  Change,
  ChangeOp,
  Changes,
  ChangesOptions,
  Content,
  CopyFileOptions,
  CpOptions,
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
  Identity,
  IfVersion,
  Limits,
  MkdirOptions,
  RenameOptions,
  Retention,
  RmOptions,
  ScanEntry,
  Searchable,
  SearchableFileSystem,
  StatFs,
  TextEncodingName,
  Time,
  TreeOptions,
  TreeText,
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
export type { GitFactory, GitSettings } from "./git/workspace-git.ts";
export { type ServeOptions, serveWorkspace } from "./server/serve-workspace.ts";
export type { NetworkPolicy } from "./shell/network-policy.ts";
export type { ShellFactory, ShellSettings } from "./shell/workspace-shell.ts";
export { Workspace, type WorkspaceOptions } from "./workspace.ts";
export { WorkspaceObject } from "./workspace-object.ts";
