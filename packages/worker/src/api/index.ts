/** `@workspace/worker/api`: the types of the HTTP API, for its clients. The schemas behind them validate and document the requests. */
export type { ArchiveAnswer, ArchiveFormat } from "./archive.ts";
export type { ApiChange, ChangesAnswer, LiveMessage } from "./changes.ts";
export type { ApiError } from "./errors.ts";
export type { ExecBody, ExecDetail, ExecEvent, ExecKillBody, ExecList, ExecRecord, ExecStarted } from "./exec.ts";
export type { GitAnswer, GitBody, GitEvent, OutputText } from "./git.ts";
export type { RestoreBody, SnapshotBody, UndoBody } from "./history.ts";
export type {
  BlameAnswer,
  HistoryAnswer,
  HistoryDiffAnswer,
  HistoryGroup,
  RevertedAnswer,
  SnapshotAnswer,
  SnapshotsAnswer,
  ToolCall,
  ToolCallsAnswer,
} from "./history-answers.ts";
export type { ListedEntry, Listing } from "./listing.ts";
export type { EntryTypeName } from "./path.ts";
export type { Port, PortBody, PortsAnswer } from "./ports.ts";
export type { GlobAnswer, GrepBody, GrepEvent, GrepHit, GrepStats } from "./search.ts";
export type { Scope, SessionAnswer, SessionBody, TokenAnswer, TokenBody } from "./session.ts";
export type { StatsAnswer } from "./stats.ts";
export type { ToolAnswer, ToolsAnswer } from "./tools.ts";
export type { Entry, MkdirAnswer, MkdirBody, RenameAnswer, RenameBody, StatAnswer, TreeAnswer } from "./tree.ts";
export type { CreateBody, WorkspaceInfo, WorkspacesAnswer } from "./workspaces.ts";
