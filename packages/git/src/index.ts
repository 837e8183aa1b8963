/** `@workspace/git`: the list of public exports. */
export type {
  BranchOptions,
  ConfigOptions,
  CreatedRef,
  DeleteBranchOptions,
  DeletedRef,
  DeleteTagOptions,
  ReadOptions,
  RefsOptions,
  ResolveOptions,
  SetConfigOptions,
  SwitchOptions,
  TagOptions,
} from "./api/branch.ts";
export type {
  AddOptions,
  AddResult,
  CleanOptions,
  CommitOptions,
  CommitResult,
  InitOptions,
  InitResult,
  MoveOptions,
  RemoveOptions,
  RemoveResult,
  ResetOptions,
  ResetResult,
  RestoreOptions,
} from "./api/commit.ts";
export type { DiffOptions } from "./api/diff.ts";
export type { LogOptions } from "./api/log.ts";
export type {
  MergeOptions,
  MergeOutcome,
  PickOptions,
  RebaseOptions,
} from "./api/merge.ts";
export type {
  AddRemoteOptions,
  CloneOptions,
  CloneResult,
  FetchOptions,
  FetchResult,
  LsRemoteOptions,
  Progress,
  PullOptions,
  PushedRef,
  PushOptions,
  RemoteInfo,
  RemoteRef,
  RemotesOptions,
} from "./api/remote.ts";
export type { BlameOptions, GrepOptions } from "./api/search.ts";
export type { StashOptions } from "./api/stash.ts";
export type {
  GitFileVersion,
  GitOperation,
  StatusEntry,
  StatusOptions,
  StatusReport,
  StatusTracking,
} from "./api/status.ts";
export { createGit, type Git, type GitCall, type GitOptions } from "./cli/create-git.ts";
export { type CliCall, type CliResult, runCli } from "./cli/run-cli.ts";
export { GitError, type GitErrorCode, type GitErrorOptions } from "./errors.ts";
export type { Credential, CredentialSource, GitHost } from "./host.ts";
export { defaultGitLimits, type GitLimits } from "./limits.ts";
export type { GitBlameLine } from "./porcelain/blame/blame-file.ts";
export type { HeadPosition, SwitchResult } from "./porcelain/checkout/switch.ts";
export type { DiffResult, GitDiffFile } from "./porcelain/diff/diff.ts";
export type { FetchUpdate } from "./porcelain/fetch/fetch.ts";
export type { GrepMatch } from "./porcelain/grep/grep.ts";
export type { LogDecoration, LogEntry } from "./porcelain/log/log.ts";
export type { PushKind } from "./porcelain/push/push.ts";
export type { RebaseStep } from "./porcelain/rebase/rebase-onto.ts";
export type { RefInfo } from "./porcelain/ref-filter/list-refs.ts";
export type { ListedStash as StashEntry } from "./porcelain/stash/stash-list.ts";
export type { GitCache } from "./repository/git-cache.ts";
export type { RepositoryLocks } from "./repository/repository-locks.ts";
