/** `@workspace/worker/api`: the types of the HTTP API, for its clients. The schemas behind them validate and document the requests. */
export type { ArchiveFormat, ArchiveResponse } from "./archive.ts";
export type { ApiChange, ChangesResponse, LiveMessage } from "./changes.ts";
export type { ApiError } from "./errors.ts";
export type { ExecBody, ExecDetail, ExecEvent, ExecKillBody, ExecList, ExecRecord, ExecStarted } from "./exec.ts";
export type { GitBody, GitEvent, GitResponse, OutputText } from "./git.ts";
export type { RestoreBody, SnapshotBody, UndoBody } from "./history.ts";
export type {
  BlameResponse,
  HistoryDiffResponse,
  HistoryGroup,
  HistoryResponse,
  RevertedResponse,
  SnapshotResponse,
  SnapshotsResponse,
  ToolCall,
  ToolCallsResponse,
} from "./history-responses.ts";
export type { ListedEntry, Listing } from "./listing.ts";
export type { EntryTypeName } from "./path.ts";
export type { Port, PortBody, PortsResponse } from "./ports.ts";
export type { GlobResponse, GrepBody, GrepEvent, GrepHit, GrepStats } from "./search.ts";
export type { Scope, SessionBody, SessionResponse, TokenBody, TokenResponse } from "./session.ts";
export type { StatsResponse } from "./stats.ts";
export type { ToolResponse, ToolsResponse } from "./tools.ts";
export type { Entry, MkdirBody, MkdirResponse, RenameBody, RenameResponse, StatAnswer, TreeResponse } from "./tree.ts";
export type { CreateBody, WorkspaceInfo, WorkspacesResponse } from "./workspaces.ts";
