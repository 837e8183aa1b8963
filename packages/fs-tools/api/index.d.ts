// Made by `npm run api:generate`. Do not edit it.

import {
  Identity,
  SearchableFileSystem,
} from "@cloudflare/workspace";

import {
  Git,
} from "@cloudflare/workspace/git";

import {
  z,
} from "zod";

export const ALIASES: readonly string[];

export interface AgentHostOptions {
  runner: AgentRunner;
  agentId: string;
  depth?: number;
}

export interface AgentMessage {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly timeMs: number;
}

export interface AgentOutcome {
  text: string;
  writes?: readonly FileWrite[];
  error?: string;
}

export type AgentRunner = (task: AgentTask) => Promise<AgentOutcome>;

export interface AgentTask {
  agentId: string;
  parentId: string;
  task: string;
  role: string;
  template?: string;
  modelId?: string;
  depth: number;
  signal?: AbortSignal;
}

export interface AiTool {
  description: string;
  inputSchema: any;
  execute(input: any, call?: any): Promise<Record<string, unknown>>;
  toModelOutput(options: any): any;
}

export type AnyTool = Omit<ToolDefinition, "handler" | "schema"> & {
  schema: z.ZodObject;
  handler: any;
};

export interface ApplyProposalsOptions {
  callId?: string;
  reviewed?: readonly Pick<ProposedChange, "path" | "revision">[];
}

export interface AuditEntry extends AuditRecord {
  readonly id: number;
}

export interface AuditRecord {
  readonly timeMs: number;
  readonly actor: string;
  readonly callId: string;
  readonly tool: string;
  readonly outcome: "success" | "failure" | "refused";
  readonly code: string;
  readonly durationMs: number;
  readonly input: string;
}

export const BashToolName = "bash";

export const COMPATIBLE_TOOL_NAMES: {
  readonly 1: readonly ["shell", "read_file", "write_file", "glob", "browse"];
  readonly 2: readonly ["filesystem-list", "filesystem-read", "filesystem-exists", "filesystem-info"];
  readonly 3: readonly ["tool::file_read", "tool::file_write", "tool::file_list", "tool::apply_patch", "tool::shell_exec", "tool::web_fetch", "tool::web_search", "tool::agent_spawn", "tool::agent_send"];
  readonly 4: readonly ["read_file", "write_file", "edit_file", "list_directory", "search_files", "search_code", "bash", "web_fetch", "web_search", "spawn_agent"];
};

export interface CallOptions {
  callId?: string;
  signal?: AbortSignal;
}

export const DIALECTS: readonly ["json", "anthropic", "openai", "mcp"];

export const DURATION_BUCKETS_MS: readonly number[];

export type Dialect = (typeof DIALECTS)[number];

export interface DiffString {
  diff: string;
  firstChangedLine: number | undefined;
}

export interface Edit {
  oldText: string;
  newText: string;
}

export interface EditResult {
  text: string;
  applied: {
    rung: MatchStrategy;
    line: number;
  }[];
}

export const EditToolName = "edit_file";

export interface ExecHostOptions {
  defaultCwd?: string;
  allowedCommands?: readonly string[];
  timeoutMs?: number;
  maxTimeoutMs?: number;
  env?: Readonly<Record<string, string>>;
  unconfined?: boolean;
}

export interface ExecToolOptions extends WorkspaceToolOptions {
  defaultCwd?: string;
  allowedCommands?: readonly string[];
  timeoutMs?: number;
  maxOutputBytes?: number;
  env?: Readonly<Record<string, string>>;
}

export interface FetchOptions {
  fetch?: typeof fetch;
  resolve?: Resolver;
  allowLocalFetch?: boolean;
  userAgent?: string;
}

export interface FileChange {
  path: string;
  bytes: Uint8Array | null;
  mode?: number;
  ifVersion?: string | null;
}

export interface FileSnapshot {
  readonly path: string;
  readonly content: Uint8Array | null;
  readonly mode?: number;
}

export interface FileStat {
  size: number;
  mode: number;
  mtime: number;
  type: "file" | "dir";
  version?: string;
  contentVersion?: string;
}

export interface FileStore {
  stat(path: string): Promise<FileStat | null>;
  read(path: string): Promise<Uint8Array | null>;
  readChunks(path: string, range?: {
    start?: number;
    end?: number;
  }): AsyncIterable<Uint8Array>;
  write(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<unknown>;
  readonly ranged?: boolean;
  append?(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<unknown>;
  remove?(path: string, options?: {
    ifVersion?: string | null;
  }): Promise<void>;
  writeMany?(changes: readonly FileChange[]): Promise<void>;
  realpath?(path: string): Promise<string>;
}

export interface FileWrite {
  path: string;
  content: string;
  delete?: boolean;
}

export interface FileWriteOptions {
  mode?: number;
  ifVersion?: string | null;
}

export interface FileWritten {
  version?: string;
  contentVersion?: string;
}

export interface FuzzyMatch {
  found: boolean;
  count: number;
  index: number;
  matchLength: number;
  rung: MatchStrategy | null;
  usedFuzzyMatch: boolean;
}

export type FuzzyMatchStrategy = "line-endings" | "trailing-space" | "indentation" | "unicode";

export class InMemoryFileStore implements FileStore {
  #private;
  readonly ranged = true;
  constructor(files?: Readonly<Record<string, string | Uint8Array>>, options?: {
    now?: () => number;
  });
  paths(): string[];
  stat(path: string): Promise<FileStat | null>;
  read(path: string): Promise<Uint8Array | null>;
  readChunks(path: string, range?: {
    start?: number;
    end?: number;
  }): AsyncGenerator<Uint8Array>;
  write(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<FileWritten>;
  append(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<FileWritten>;
  remove(path: string): Promise<void>;
  writeMany(changes: readonly FileChange[]): Promise<void>;
}

export type LineEnding = "\n" | "\r\n";

export const ListDirToolName = "list_directory";

export const MATCH_STRATEGIES: readonly FuzzyMatchStrategy[];

export type MatchStrategy = "exact" | FuzzyMatchStrategy;

export interface McpClient {
  listTools(parameters?: {
    cursor?: string;
  }): Promise<{
    tools: readonly McpTool[];
    nextCursor?: string;
  }>;
  callTool(call: {
    name: string;
    arguments?: Record<string, unknown>;
  }): Promise<unknown>;
}

export interface McpTool {
  name: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  annotations?: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

export interface McpToolsOptions {
  server?: string;
  taken?: readonly string[];
  readOnly?: readonly string[];
}

export class MemoryToolState implements ToolState {
  #private;
  disabledTools(): Promise<readonly string[]>;
  saveDisabledTools(names: readonly string[]): Promise<void>;
  seen(actor: string, path: string): Promise<ReadVersion | undefined>;
  recordRead(actor: string, path: string, seen: ReadVersion | null): Promise<void>;
  proposals(actor: string): Promise<readonly Proposal[]>;
  propose(actor: string, proposals: readonly Proposal[]): Promise<void>;
  dropProposals(actor: string, paths?: readonly string[]): Promise<void>;
  keepSnapshots(callId: string, snapshots: readonly FileSnapshot[]): Promise<void>;
  snapshots(callId: string): Promise<readonly FileSnapshot[] | undefined>;
  audit(record: AuditRecord): Promise<void>;
  auditLog({ limit, before }?: {
    before?: number | undefined;
    limit?: number | undefined;
  }): Promise<readonly AuditEntry[]>;
  reserveAgent(parent: string, limit: number): Promise<boolean>;
  send(message: AgentMessage, { queue, perMinute, perSenderMinute }: SendLimits): Promise<"sent" | "queue" | "rate" | "sender-rate">;
  inbox(agentId: string): Promise<readonly AgentMessage[]>;
}

export const PRESETS: {
  readonly core: readonly ["read", "write", "edit", "grep", "glob", "list", "exec"];
  readonly full: undefined;
};

export type Preset = keyof typeof PRESETS;

export interface Proposal {
  readonly path: string;
  readonly content: Uint8Array | null;
  readonly base: string | null;
  readonly mode?: number;
  readonly timeMs?: number;
}

export interface Proposals {
  list(): Promise<ProposedChange[]>;
  apply(options?: ApplyProposalsOptions): Promise<{
    callId: string;
    paths: string[];
  }>;
  drop(paths?: readonly string[]): Promise<void>;
}

export interface ProposedChange {
  path: string;
  content: string | null;
  delete?: true;
  mode?: number;
  diff: string;
  revision: string;
}

export const ROLES: readonly ["explorer", "planner", "coder", "full"];

export const ROOT_MARKERS: readonly string[];

export const ReadToolName = "read_file";

export interface ReadVersion {
  readonly version: string;
  readonly contentVersion: string;
}

export type Resolver = (hostname: string) => Promise<readonly string[]>;

export interface RestoreOutcome {
  path: string;
  outcome: "restored" | "deleted" | "failed";
  message?: string;
}

export type Role = (typeof ROLES)[number];

export const RoleCoder = "coder";

export const RoleExplorer = "explorer";

export const RoleFull = "full";

export const RolePlanner = "planner";

export const SEARCH_PROVIDERS: readonly ["tavily", "brave", "duckduckgo"];

export const SECRET_FILES: readonly string[];

export const SHELL_COMMAND_ALLOWLIST: readonly string[];

export const SearchCodeName = "search_code";

export const SearchFilesName = "search_files";

export interface SearchOptions {
  fetch?: typeof fetch;
  provider?: SearchProviderName;
  keys?: Partial<Record<SearchProviderName, string>>;
  bases?: Partial<Record<SearchProviderName, string>>;
  timeoutMs?: number;
}

export type SearchProviderName = (typeof SEARCH_PROVIDERS)[number];

export interface SendLimits {
  readonly queue: number;
  readonly perMinute: number;
  readonly perSenderMinute: number;
}

export const SpawnAgentToolName = "spawn_agent";

export interface StoreToolOptions {
  store: FileStore;
  metrics?: ToolMetrics;
}

export interface SystemPromptOptions {
  guidance?: Readonly<Record<string, string>>;
  extra?: string;
}

export const TOOL_ERROR_CODES: readonly ["INVALID_INPUT", "UNKNOWN_TOOL", "OUTSIDE_ROOT",
"DENIED",
"NOT_WRITABLE", "TOO_LARGE", "BINARY_FILE", "OUT_OF_RANGE",
"ENCODING",
"STALE", "NO_MATCH", "AMBIGUOUS_MATCH", "OVERLAP", "NO_CHANGE", "PATCH_CORRUPT", "PATCH_FAILED", "COMMAND_REFUSED", "COMMAND_FAILED", "ADDRESS_REFUSED", "FETCH_FAILED", "QUOTA", "UNAVAILABLE", "UNDO_FAILED", "CALL_FAILED"];

export const TOOL_GROUPS: readonly ["filesystem", "search", "shell", "git", "web", "agents"];

export interface ToolAnnotations {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld?: boolean;
  readonly untrusted?: boolean;
}

export interface ToolContext {
  readonly host: ToolHost;
  readonly limits: ToolLimits;
  readonly state: ToolState;
  readonly actor: string;
  readonly callId: string;
  readonly paths: PathResolver;
  readonly files: ToolFiles;
  readonly workspace: ToolWorkspace;
  view(part: "git" | "shell"): ToolWorkspace;
  readonly signal?: AbortSignal;
}

export interface ToolDefinition<Schema extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly group: ToolGroup;
  readonly schema: Schema;
  readonly annotations: ToolAnnotations;
  readonly guidance?: string;
  readonly available?: (host: ToolHost) => boolean;
  readonly unavailable?: (host: ToolHost) => string | undefined;
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  handler(input: z.output<Schema>, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

export class ToolError extends Error {
  readonly code: ToolErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly name = "ToolError";
  constructor(code: ToolErrorCode, message: string, details?: Readonly<Record<string, unknown>>, options?: ErrorOptions);
}

export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number] | FsErrorCode;

export interface ToolFile {
  mediaType: string;
  filename: string;
  data: string;
}

export type ToolGroup = (typeof TOOL_GROUPS)[number];

export interface ToolHistory {
  undo(options: {
    callId: string;
    path?: string;
    force?: boolean;
    dryRun?: boolean;
  }): Promise<ToolReverted>;
  diff(options: {
    from: string;
    path: string;
  }): Promise<{
    files: readonly {
      path: string;
      patch?: string;
    }[];
  }>;
}

export interface ToolHost {
  readonly store?: FileStore;
  readonly workspace?: ToolWorkspace;
  readonly views?: RestrictedViews;
  readonly state: ToolState;
  readonly limits: ToolLimits;
  readonly mode: "direct" | "propose";
  readonly exec: ExecHostOptions;
  readonly disabledMatchStrategies: readonly FuzzyMatchStrategy[];
  readonly agents?: AgentHostOptions;
  readonly web?: FetchOptions;
  readonly search?: SearchOptions;
  readonly exposePort?: (port: number) => Promise<{
    url: string;
  }>;
  readonly deny: readonly string[];
  readonly writable?: readonly string[];
  readonly now: () => number;
}

export interface ToolLimits {
  readLines: number;
  readBytes: number;
  mediaBytes: number;
  sniffBytes: number;
  writeBytes: number;
  editBytes: number;
  patchBytes: number;
  patchFiles: number;
  grepHits: number;
  grepLineBytes: number;
  grepContextLines: number;
  entries: number;
  answerBytes: number;
  treeDepth: number;
  treeMaxDepth: number;
  diffBytes: number;
  execTimeoutMs: number;
  execMaxTimeoutMs: number;
  stdoutBytes: number;
  stderrBytes: number;
  gitBytes: number;
  fetchBytes: number;
  fetchTextBytes: number;
  fetchTimeoutMs: number;
  fetchRedirects: number;
  searchResults: number;
  agentDepth: number;
  agentsPerParent: number;
  messageBytes: number;
  messageQueue: number;
  messagesPerMinute: number;
  messagesPerSenderMinute: number;
  proposals: number;
  proposalBytes: number;
  mcpBytes: number;
}

export class ToolMetrics {
  #private;
  record(tool: string, status: "success" | "failure", durationMs: number): void;
  snapshot(): ToolMetricsSnapshot;
  text(): string;
}

export interface ToolMetricsSnapshot {
  tool_execution_total: {
    tool: string;
    status: "success" | "failure";
    count: number;
  }[];
  function_call_duration_ms: {
    tool: string;
    buckets: number[];
    sum: number;
    count: number;
  }[];
}

export interface ToolOutput {
  structured: Record<string, unknown>;
  text?: string;
  isError?: true;
  files?: ToolFile[];
}

export interface ToolResult {
  content: string;
  structured: Record<string, unknown>;
  isError?: true;
  files?: ToolFile[];
}

export interface ToolShell {
  exec(command: string | readonly string[], options: ToolExecOptions): Promise<ToolExecHandle>;
  get(id: string, options: {
    encoding: "utf8";
    resume?: "tail" | "full" | number;
  }): Promise<ToolExecHandle>;
}

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

export interface ToolWorkspace {
  readonly fs: SearchableFileSystem;
  readonly git?: Pick<Git, "cli">;
  readonly shell?: ToolShell;
  readonly features?: {
    readonly git: boolean;
    readonly shell: boolean;
  };
  readonly history?: ToolHistory;
  readonly root?: string;
  readonly [internals]?: ToolInternals;
  as?(identity: Identity): ToolWorkspace;
  restrict?(policy: PathPolicy & {
    allowContainer?: boolean;
  }): ToolWorkspace;
}

export interface Toolset {
  readonly names: readonly string[];
  readonly definitions: readonly AnyTool[];
  readonly metrics: ToolMetrics;
  readonly proposals: Proposals;
  readonly root: string;
  readonly cwd: string;
  has(name: string): boolean;
  whyUnavailable(name: string): string | undefined;
  handle(name: string, input: unknown, options?: CallOptions): Promise<ToolResult>;
  schemas(dialect?: Dialect): Record<string, unknown>[];
  providerTools(provider: "anthropic" | "openai"): Record<string, unknown>[];
  validate(name: string, input: unknown): string | null;
  usage(name: string): string;
  systemPrompt(options?: SystemPromptOptions): string;
  tools(): Record<string, AiTool>;
  settings(): {
    seed?: number;
    stopWhen?: (state: {
      steps: readonly unknown[];
    }) => boolean;
  };
  saveDisabled(names: readonly string[]): Promise<void>;
  audit(options?: {
    limit?: number;
    before?: number;
  }): Promise<readonly AuditEntry[]>;
  inbox(): Promise<readonly AgentMessage[]>;
}

export interface ToolsetOptions {
  workspace?: ToolWorkspace;
  store?: FileStore;
  state?: ToolState;
  root?: string;
  rootMarkers?: readonly string[];
  cwd?: string;
  role?: Role | (string & {});
  preset?: Preset;
  allow?: readonly string[];
  disabled?: readonly string[];
  groups?: Partial<Record<ToolGroup, boolean>>;
  descriptions?: Readonly<Record<string, string>>;
  guidance?: Readonly<Record<string, string>>;
  mode?: "direct" | "propose";
  limits?: Partial<ToolLimits>;
  exec?: ExecHostOptions;
  disabledMatchStrategies?: readonly FuzzyMatchStrategy[];
  web?: FetchOptions;
  search?: SearchOptions;
  agents?: AgentHostOptions;
  exposePort?: (port: number) => Promise<{
    url: string;
  }>;
  deny?: readonly string[];
  writable?: readonly string[];
  extraTools?: readonly AnyTool[];
  actor?: string;
  metrics?: ToolMetrics;
  now?: () => number;
  maxSteps?: number;
  seed?: number;
}

export const WebFetchToolName = "web_fetch";

export const WebSearchToolName = "web_search";

export class WorkspaceFileStore implements FileStore {
  #private;
  readonly ranged = true;
  readonly workspace: ToolWorkspace;
  constructor(workspace: ToolWorkspace);
  stat(path: string): Promise<FileStat | null>;
  read(path: string): Promise<Uint8Array | null>;
  readChunks(path: string, range?: {
    start?: number;
    end?: number;
  }): AsyncGenerator<Uint8Array>;
  write(path: string, bytes: Uint8Array, { mode, ifVersion }?: FileWriteOptions): Promise<FileWritten>;
  append(path: string, bytes: Uint8Array, { mode, ifVersion }?: FileWriteOptions): Promise<FileWritten>;
  remove(path: string, { ifVersion }?: {
    ifVersion?: string | null;
  }): Promise<void>;
  writeMany(changes: readonly FileChange[]): Promise<void>;
  realpath(path: string): Promise<string>;
}

export interface WorkspaceToolOptions {
  workspace: ToolWorkspace;
  metrics?: ToolMetrics;
}

export const WriteToolName = "write_file";

export function applyEdits(text: string, edits: readonly Edit[], options?: EditOptions): EditResult;

export function applyEditsToNormalizedContent(content: string, edits: readonly Edit[], path?: string): {
  baseContent: string;
  newContent: string;
};

export function createEditTool(options: StoreToolOptions & {
  maxBytes?: number;
}): AiTool;

export function createExecTool(options: ExecToolOptions): AiTool;

export function createGrepTool(options: WorkspaceToolOptions & {
  maxHits?: number;
  maxBytesPerLine?: number;
}): AiTool;

export function createReadTool(options: StoreToolOptions & {
  maxLines?: number;
  maxBytes?: number;
}): AiTool;

export function createToolset(requested: ToolsetOptions): Promise<Toolset>;

export function createWriteTool(options: StoreToolOptions & {
  maxBytes?: number;
}): AiTool;

export const defaultToolLimits: ToolLimits;

export function defineTool<Schema extends z.ZodObject>(definition: ToolDefinition<Schema>): ToolDefinition<Schema>;

export function detectLineEnding(content: string): LineEnding;

export function dnsOverHttps(fetcher: typeof fetch, endpoint?: string): Resolver;

export function filterEnvironment(source: Readonly<Record<string, string | undefined>>, added?: Readonly<Record<string, string>>): Record<string, string>;

export function fuzzyFindText(content: string, oldText: string): FuzzyMatch;

export function generateDiffString(before: string, after: string, contextLines?: number): DiffString;

export function generateUnifiedPatch(path: string, before: string, after: string, contextLines?: number): string;

export const generousExecLimits: Partial<ToolLimits>;

export function humanSize(bytes: number): string;

export function humanTime(ms: number): string;

export function mcpTools(client: McpClient, { server, taken, readOnly }?: McpToolsOptions): Promise<AnyTool[]>;

export function normalizeToLF(text: string): string;

export function redactCommand(command: string | readonly string[]): string | string[];

export function restoreBom(text: string, bom: string): string;

export function restoreLineEndings(text: string, ending: LineEnding): string;

export function restoreSnapshots(store: FileStore, snapshots: readonly FileSnapshot[]): Promise<RestoreOutcome[]>;

export function snapshotFiles(store: FileStore, writes: readonly {
  path: string;
  delete?: boolean;
}[]): Promise<FileSnapshot[]>;

export function stripBom(content: string): {
  bom: string;
  text: string;
};

export function toMcpResult({ content, structured, isError, files }: ToolResult): Record<string, unknown>;

export function withToolMetrics<T extends Executable | Record<string, Executable>>(tools: T, metrics: ToolMetrics, options?: {
  name?: string;
  now?: () => number;
}): T;

// Not exported; the declarations above refer to them.

interface EditOptions {
  path?: string;
  disabledStrategies?: readonly FuzzyMatchStrategy[];
  maxLength?: number;
}

interface Executable {
  execute?: (...args: any[]) => any;
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

type FsErrorCode = (typeof FS_ERROR_CODES)[number];

interface PathPolicy {
  root?: string;
  deny?: readonly string[];
  writable?: readonly string[];
  readOnly?: boolean;
}

interface RestrictedViews {
  readonly files: ToolWorkspace;
  readonly accepted: ToolWorkspace;
  readonly git: ToolWorkspace;
  readonly shell: ToolWorkspace;
}

interface ToolExecExit {
  readonly state: Exclude<ToolExecState, "running">;
  readonly exitCode: number | null;
  readonly reason?: string;
}

interface ToolExecHandle extends AsyncIterable<{
  readonly seq: number;
  readonly name: "stdout" | "stderr";
  readonly value: string;
} | {
  readonly seq: number;
  readonly name: "exit";
  readonly value: ToolExecExit;
}> {
  readonly id: string;
  readonly callId: string;
  readonly ranOn: string;
  result(): Promise<ToolExecResult>;
  kill(signal?: "SIGTERM" | "SIGKILL" | "SIGINT"): Promise<void>;
}

interface ToolExecOptions {
  id?: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  encoding: "utf8";
  timeoutMs?: number;
  signal?: AbortSignal;
}

interface ToolExecResult extends ToolExecExit {
  readonly id: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly output: {
    readonly path: string;
    readonly bytes: number;
    readonly complete: boolean;
  } | null;
  readonly ranOn: string;
  readonly callId: string;
  readonly changed?: readonly string[];
}

type ToolExecState = "running" | "exited" | "killed" | "timedout" | "lost";

interface ToolReverted {
  readonly changes: readonly {
    readonly path: string;
    readonly action: string;
    readonly from?: string;
  }[];
  readonly total: number;
  readonly conflicts: readonly {
    readonly path: string;
    readonly reason: string;
  }[];
  readonly kept?: readonly {
    readonly path: string;
    readonly files: number;
    readonly reason: string;
  }[];
}

export {};
