/** `@cloudflare/fs-tools`: the public surface, by name. */
export {
  type AnyTool,
  defineTool,
  TOOL_GROUPS,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolGroup,
} from "./definition/define-tool.ts";
export type { AgentHostOptions, EditRung, ExecHostOptions, ToolContext, ToolHost } from "./definition/tool-context.ts";
export type { ToolFile, ToolOutput, ToolResult } from "./definition/tool-result.ts";
export type { ToolShell, ToolWorkspace } from "./definition/tool-workspace.ts";
export { TOOL_ERROR_CODES, ToolError, type ToolErrorCode } from "./errors.ts";
export { defaultToolLimits, generousExecLimits, type ToolLimits } from "./limits.ts";
export { MemoryToolState } from "./state/memory-tool-state.ts";
export type {
  AgentMessage,
  AuditEntry,
  AuditRecord,
  FileSnapshot,
  Proposal,
  Seen,
  SendLimits,
  ToolState,
} from "./state/tool-state.ts";
export type { FileChange, FileStat, FileStore, FileWriteOptions, FileWritten } from "./store/file-store.ts";
export { InMemoryFileStore } from "./store/in-memory-file-store.ts";
export { restoreSnapshots, snapshotFiles } from "./store/snapshots.ts";
export { WorkspaceFileStore } from "./store/workspace-file-store.ts";
export { type CallOptions, createToolset, type Toolset, type ToolsetOptions } from "./toolset/create-toolset.ts";
export { DIALECTS, type Dialect } from "./toolset/dialects.ts";
export { ROLES, type Role } from "./toolset/roles.ts";
export { ToolMetrics, withToolMetrics } from "./toolset/tool-metrics.ts";
