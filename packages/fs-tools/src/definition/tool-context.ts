/**
 * What a tool stands on. `ToolHost` is what the owner gives once; `ToolContext` is one call's view of it: paths are checked, files
 * are written under the call's own name, and what was read is remembered.
 */
import type { AgentRunner } from "../agents/agent-runner.ts";
import type { PathResolver } from "../files/path-resolver.ts";
import type { ToolFiles } from "../files/tool-files.ts";
import type { ToolLimits } from "../limits.ts";
import type { ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import type { FetchOptions } from "../web/fetch-page.ts";
import type { SearchOptions } from "../web/search-web.ts";
import type { RestrictedViews, ToolWorkspace } from "./tool-workspace.ts";

export type FuzzyMatchStrategy = "line-endings" | "trailing-space" | "indentation" | "unicode";

export interface ExecHostOptions {
  /** Where commands start; default the tools' `cwd`. */
  defaultCwd?: string;
  /** Undefined: anything; `[]`: nothing; otherwise prefixes such as "git" or "go test *". */
  allowedCommands?: readonly string[];
  /** Of a command that asks for none, and the most that a call may ask for; 0: no timeout. */
  timeoutMs?: number;
  /** The most that a call may ask for, where it may be more than `timeoutMs`. */
  maxTimeoutMs?: number;
  /** What commands find in their environment beyond PATH, HOME, LANG, LC_*, TERM, TZ and TMPDIR. */
  env?: Readonly<Record<string, string>>;
  /** Commands may run in the container, and change what is not `writable`: the host knows that its policy does not hold there. */
  unconfined?: boolean;
}

export interface AgentHostOptions {
  runner: AgentRunner;
  /** Who this agent is, in the host's word. */
  agentId: string;
  /** 0 for an agent that nobody spawned. */
  depth?: number;
}

export interface ToolHost {
  readonly store?: FileStore;
  /** As the tools on files see it. */
  readonly workspace?: ToolWorkspace;
  /** As the other parts see it; absent: as `workspace`. */
  readonly views?: RestrictedViews;
  readonly state: ToolState;
  readonly limits: ToolLimits;
  readonly mode: "direct" | "propose";
  readonly exec: ExecHostOptions;
  /** Match strategies of edit that are switched off. */
  readonly disabledMatchStrategies: readonly FuzzyMatchStrategy[];
  readonly agents?: AgentHostOptions;
  readonly web?: FetchOptions;
  readonly search?: SearchOptions;
  /** Makes a port reachable; without it there is no `browse`. */
  readonly exposePort?: (port: number) => Promise<{ url: string }>;
  readonly deny: readonly string[];
  readonly writable?: readonly string[];
  readonly now: () => number;
}

export interface ToolContext {
  readonly host: ToolHost;
  readonly limits: ToolLimits;
  readonly state: ToolState;
  readonly actor: string;
  readonly callId: string;
  readonly paths: PathResolver;
  /** Files as this call sees and changes them. */
  readonly files: ToolFiles;
  /** The workspace under this call's actor and id; throws UNAVAILABLE when there is none. */
  readonly workspace: ToolWorkspace;
  /** The same for git or commands. */
  view(part: "git" | "shell"): ToolWorkspace;
  readonly signal?: AbortSignal;
}
