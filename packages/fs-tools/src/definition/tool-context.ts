/**
 * The environment of a tool. The owner provides `ToolHost` once; `ToolContext` is one call's view of it: paths are checked, files
 * are written under the call's own name, and reads are recorded.
 */

import type { ToolFiles } from "../files/tool-files.ts";
import type { ToolLimits } from "../limits.ts";
import type { PathResolver } from "../paths/path-resolver.ts";
import type { ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import type { FetchOptions } from "../tools/web/fetch-page.ts";
import type { SearchOptions } from "../tools/web/search-web.ts";
import type { AgentRunner } from "../toolset/agent-runner.ts";
import type { RestrictedViews, ToolWorkspace } from "./tool-workspace.ts";

export type FuzzyMatchStrategy = "line-endings" | "trailing-space" | "indentation" | "unicode";

export interface ExecHostOptions {
  /** Working directory of commands; default the tools' `cwd`. */
  defaultCwd?: string;
  /** Undefined: anything; `[]`: nothing; otherwise prefixes such as "git" or "go test *". */
  allowedCommands?: readonly string[];
  /** Default timeout of a command, and the maximum that a call may request; 0: no timeout. */
  timeoutMs?: number;
  /** The maximum that a call may request, if it is more than `timeoutMs`. */
  maxTimeoutMs?: number;
  /** Environment variables of commands besides PATH, HOME, LANG, LC_*, TERM, TZ and TMPDIR. */
  env?: Readonly<Record<string, string>>;
  /**
   * Commands may run in the container, and change files that are not `writable`: the host accepts that its policy does not apply
   * there.
   */
  unconfined?: boolean;
}

export interface AgentHostOptions {
  runner: AgentRunner;
  /** The host's name for this agent. */
  agentId: string;
  /** 0 for a top-level agent. */
  depth?: number;
}

export interface ToolHost {
  readonly store?: FileStore;
  /** The view of the file tools, under their actor. */
  readonly workspace?: ToolWorkspace;
  /** The views of the other parts; absent: `workspace`. */
  readonly views?: RestrictedViews;
  readonly state: ToolState;
  readonly limits: ToolLimits;
  readonly mode: "direct" | "propose";
  readonly exec: ExecHostOptions;
  /** Disabled match strategies of edit. */
  readonly disabledMatchStrategies: readonly FuzzyMatchStrategy[];
  readonly agents?: AgentHostOptions;
  readonly web?: FetchOptions;
  readonly search?: SearchOptions;
  /** Exposes a port; without it there is no `browse`. */
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
  /** The workspace under this call's actor and id; throws UNAVAILABLE if there is none. */
  readonly workspace: ToolWorkspace;
  /** The same for git or commands. */
  view(part: "git" | "shell"): ToolWorkspace;
  readonly signal?: AbortSignal;
}
