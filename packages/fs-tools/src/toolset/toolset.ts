/** The options and the interface of a toolset. */
import type { AnyTool, ToolGroup } from "../definition/define-tool.ts";
import type { AgentHostOptions, ExecHostOptions, FuzzyMatchStrategy } from "../definition/tool-context.ts";
import type { ToolResult } from "../definition/tool-result.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import type { ToolLimits } from "../limits.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { AgentMessage, AuditEntry, ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import type { FetchOptions } from "../tools/web/fetch-page.ts";
import type { SearchOptions } from "../tools/web/search-web.ts";
import type { AiTool } from "./ai-tool.ts";
import type { Dialect } from "./dialects.ts";
import type { Role } from "./roles.ts";
import type { Preset } from "./select-tools.ts";
import type { SystemPromptOptions } from "./system-prompt.ts";
import type { ToolMetrics } from "./tool-metrics.ts";

export interface ToolsetOptions {
  workspace?: ToolWorkspace;
  /** Replaces the workspace's files: read, write, edit and apply_patch work on any store. */
  store?: FileStore;
  /** The tools' persistent state; default the workspace's own if it has one. */
  state?: ToolState;
  /** The directory visible to the tools; default the workspace's root. "auto": the nearest project at or above `cwd`. */
  root?: string;
  /** Markers of a project, for `root: "auto"`. */
  rootMarkers?: readonly string[];
  /** The base of relative paths; default the root. */
  cwd?: string;
  role?: Role | (string & {});
  preset?: Preset;
  allow?: readonly string[];
  /** In addition to the tools that the workspace has stored as disabled. */
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
  /** Foreign tools: `mcpTools(client)`, or the host's own definitions. */
  extraTools?: readonly AnyTool[];
  /** The actor of the tools' changes in the log; default "agent". */
  actor?: string;
  metrics?: ToolMetrics;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Passed to the AI SDK by `toolset.settings()`; 0 is no limit. */
  maxSteps?: number;
  seed?: number;
}

export interface CallOptions {
  /** The call's id in the log, the audit and `undo`; generated if absent. */
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
  /** For a tool that the host's rules exclude: the reason. */
  whyUnavailable(name: string): string | undefined;
  /** Runs a call; never throws. Accepts aliases of other tool families. */
  handle(name: string, input: unknown, options?: CallOptions): Promise<ToolResult>;
  schemas(dialect?: Dialect): Record<string, unknown>[];
  /** Declarations of a provider's trained-in tools, if the tools behind them are active. */
  providerTools(provider: "anthropic" | "openai"): Record<string, unknown>[];
  /** Null: the input is valid. */
  validate(name: string, input: unknown): string | null;
  usage(name: string): string;
  systemPrompt(options?: SystemPromptOptions): string;
  /** For `generateText` and `streamText`. */
  tools(): Record<string, AiTool>;
  /** `seed`, and `stopWhen` for the step limit, for `generateText` and `streamText`. */
  settings(): { seed?: number; stopWhen?: (state: { steps: readonly unknown[] }) => boolean };
  /** Disables tools permanently (or, if empty, enables all again), for this toolset and every later one of this workspace. */
  saveDisabled(names: readonly string[]): Promise<void>;
  audit(options?: { limit?: number; before?: number }): Promise<readonly AuditEntry[]>;
  /** Removes and returns this agent's pending messages. */
  inbox(): Promise<readonly AgentMessage[]>;
}
