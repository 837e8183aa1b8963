/** `@cloudflare/fs-tools`: the public surface, by name. */

export {
  type AnyTool,
  defineTool,
  TOOL_GROUPS,
  type ToolAnnotations,
  type ToolDefinition,
  type ToolGroup,
} from "./definition/define-tool.ts";
export type {
  AgentHostOptions,
  ExecHostOptions,
  FuzzyMatchStrategy,
  ToolContext,
  ToolHost,
} from "./definition/tool-context.ts";
export type { ToolFile, ToolOutput, ToolResult } from "./definition/tool-result.ts";
export type { ToolHistory, ToolShell, ToolWorkspace } from "./definition/tool-workspace.ts";
export { TOOL_ERROR_CODES, ToolError, type ToolErrorCode } from "./errors.ts";
export { humanSize, humanTime } from "./format/human.ts";
export { defaultToolLimits, generousExecLimits, type ToolLimits } from "./limits.ts";
export { ROOT_MARKERS } from "./paths/find-root.ts";
export { SECRET_FILES } from "./paths/secret-files.ts";
export type { FileWrite } from "./proposals/file-write.ts";
export type { ApplyProposalsOptions, Proposals, ProposedChange } from "./proposals/proposals.ts";
export { redactCommand } from "./redact/redact-words.ts";
export { MemoryToolState } from "./state/memory-tool-state.ts";
export type {
  AgentMessage,
  AuditEntry,
  AuditRecord,
  FileSnapshot,
  Proposal,
  ReadVersion,
  SendLimits,
  ToolState,
} from "./state/tool-state.ts";
export type { FileChange, FileStat, FileStore, FileWriteOptions, FileWritten } from "./store/file-store.ts";
export { InMemoryFileStore } from "./store/in-memory-file-store.ts";
export { type RestoreOutcome, restoreSnapshots, snapshotFiles } from "./store/snapshots.ts";
export { WorkspaceFileStore } from "./store/workspace-file-store.ts";
export { applyEdits, type Edit, type EditResult } from "./tools/edit/apply-edits.ts";
export { type DiffString, generateDiffString, generateUnifiedPatch } from "./tools/edit/diff-string.ts";
export { applyEditsToNormalizedContent, type FuzzyMatch, fuzzyFindText } from "./tools/edit/fuzzy-find.ts";
export {
  detectLineEnding,
  type LineEnding,
  normalizeToLF,
  restoreBom,
  restoreLineEndings,
  stripBom,
} from "./tools/edit/line-endings.ts";
export { MATCH_STRATEGIES, type MatchStrategy } from "./tools/edit/match-text.ts";
export { SHELL_COMMAND_ALLOWLIST } from "./tools/exec/allowed-commands.ts";
export { filterEnvironment } from "./tools/exec/environment.ts";
export { dnsOverHttps, type Resolver } from "./tools/web/check-address.ts";
export type { FetchOptions } from "./tools/web/fetch-page.ts";
export { SEARCH_PROVIDERS, type SearchOptions, type SearchProviderName } from "./tools/web/search-web.ts";
export type { AgentOutcome, AgentRunner, AgentTask } from "./toolset/agent-runner.ts";
export type { AiTool } from "./toolset/ai-tool.ts";
export {
  ALIASES,
  BashToolName,
  COMPATIBLE_TOOL_NAMES,
  EditToolName,
  ListDirToolName,
  ReadToolName,
  SearchCodeName,
  SearchFilesName,
  SpawnAgentToolName,
  WebFetchToolName,
  WebSearchToolName,
  WriteToolName,
} from "./toolset/aliases.ts";
export { createToolset } from "./toolset/create-toolset.ts";
export { DIALECTS, type Dialect, toMcpResult } from "./toolset/dialects.ts";
export { type McpClient, type McpTool, type McpToolsOptions, mcpTools } from "./toolset/foreign-mcp-tools.ts";
export { ROLES, type Role, RoleCoder, RoleExplorer, RoleFull, RolePlanner } from "./toolset/roles.ts";
export { PRESETS, type Preset } from "./toolset/select-tools.ts";
export {
  createEditTool,
  createExecTool,
  createGrepTool,
  createReadTool,
  createWriteTool,
  type ExecToolOptions,
  type StoreToolOptions,
  type WorkspaceToolOptions,
} from "./toolset/single-tools.ts";
export type { SystemPromptOptions } from "./toolset/system-prompt.ts";
export { DURATION_BUCKETS_MS, ToolMetrics, type ToolMetricsSnapshot, withToolMetrics } from "./toolset/tool-metrics.ts";
export type { CallOptions, Toolset, ToolsetOptions } from "./toolset/toolset.ts";
