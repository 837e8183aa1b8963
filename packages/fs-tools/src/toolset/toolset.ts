/** What a set of tools is made from, and what it can be asked. */
import type { AnyTool, ToolGroup } from "../definition/define-tool.ts";
import type { AgentHostOptions, ExecHostOptions, FuzzyMatchStrategy } from "../definition/tool-context.ts";
import type { ToolResult } from "../definition/tool-result.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import type { ToolLimits } from "../limits.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { AgentMessage, AuditEntry, ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import type { FetchOptions } from "../web/fetch-page.ts";
import type { SearchOptions } from "../web/search-web.ts";
import type { AiTool } from "./ai-tool.ts";
import type { Dialect } from "./dialects.ts";
import type { Role } from "./roles.ts";
import type { Preset } from "./select-tools.ts";
import type { SystemPromptOptions } from "./system-prompt.ts";
import type { ToolMetrics } from "./tool-metrics.ts";

export interface ToolsetOptions {
  workspace?: ToolWorkspace;
  /** In place of the workspace's files: read, write, edit and apply_patch work on any store. */
  store?: FileStore;
  /** Where the tools keep what they remember; the workspace's own when it has one. */
  state?: ToolState;
  /** What the tools see; default the workspace's root. "auto": the nearest project at or above `cwd`. */
  root?: string;
  /** Markers of a project, for `root: "auto"`. */
  rootMarkers?: readonly string[];
  /** What relative paths start from; default the root. */
  cwd?: string;
  role?: Role | (string & {});
  preset?: Preset;
  allow?: readonly string[];
  /** Beside those that the workspace remembers as switched off. */
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
  exposePort?: (port: number) => Promise<{ url: string }>;
  deny?: readonly string[];
  writable?: readonly string[];
  /** Foreign tools: `mcpTools(client)`, or definitions of the host's own. */
  extraTools?: readonly AnyTool[];
  /** Under whose name the log has what the tools change; default "agent". */
  actor?: string;
  metrics?: ToolMetrics;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Handed on to the AI SDK by `toolset.settings()`; 0 is no limit. */
  maxSteps?: number;
  seed?: number;
}

export interface CallOptions {
  /** Under which the log, the audit and `undo` know the call; made up when absent. */
  callId?: string;
  signal?: AbortSignal;
}

export interface Toolset {
  /** Of the active tools, in the order of their definition. */
  readonly names: readonly string[];
  readonly definitions: readonly AnyTool[];
  readonly metrics: ToolMetrics;
  readonly proposals: Proposals;
  readonly root: string;
  readonly cwd: string;
  /** Whether `handle` knows a tool by this name, an alias or a trained-in verb. */
  has(name: string): boolean;
  /** Of a tool that the host's own rules exclude: why. */
  whyUnavailable(name: string): string | undefined;
  /** Runs a call; never throws. Aliases of other tool families are understood. */
  handle(name: string, input: unknown, options?: CallOptions): Promise<ToolResult>;
  schemas(dialect?: Dialect): Record<string, unknown>[];
  /** Declarations of the tools that a provider's models know by heart, where the tools behind them are active. */
  providerTools(provider: "anthropic" | "openai"): Record<string, unknown>[];
  /** Null: the input is right. */
  validate(name: string, input: unknown): string | null;
  usage(name: string): string;
  systemPrompt(options?: SystemPromptOptions): string;
  /** For `generateText` and `streamText`. */
  tools(): Record<string, AiTool>;
  /** `seed`, and `stopWhen` for how many steps, as `generateText` and `streamText` take them. */
  settings(): { seed?: number; stopWhen?: (state: { steps: readonly unknown[] }) => boolean };
  /** Switches tools off for good (or, empty, all on again), for this toolset and every later one of this workspace. */
  saveDisabled(names: readonly string[]): Promise<void>;
  audit(options?: { limit?: number; before?: number }): Promise<readonly AuditEntry[]>;
  /** Takes the messages that wait for this agent. */
  inbox(): Promise<readonly AgentMessage[]>;
}
