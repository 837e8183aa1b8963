/** The services that a workspace's routes use inside its Durable Object, besides the workspace itself. */
import type { Dialect, ToolResult } from "@cloudflare/fs-tools";
import type { McpSessions } from "../mcp/sessions.ts";
import type { LiveFeed } from "./live-feed.ts";
import type { PendingStdin } from "./pending-stdin.ts";
import type { MeterRow } from "./store/meter-row.ts";
import type { ToolList, ToolPrincipal } from "./toolset-cache.ts";
import type { MeasuredUsage } from "./usage-meter.ts";

export interface ObjectStats extends MeterRow {
  databaseBytes: number;
}

export interface ObjectServices {
  readonly tools: {
    list(caller: ToolPrincipal, dialect: Dialect): Promise<ToolList>;
    /** Returns null if this caller has no such tool. */
    call(
      caller: ToolPrincipal,
      name: string,
      input: Record<string, unknown>,
      callId?: string,
    ): Promise<ToolResult | null>;
  };
  readonly live: LiveFeed;
  readonly stdin: PendingStdin;
  readonly sessions: McpSessions;
  stats(): ObjectStats;
  /** Measures the cost of a started command until it ends. */
  follow(started: { id: string; callId: string }): void;
  /**
   * Runs and measures the work, and records its changes in the registry before it resolves. `failed` says whether a result counts
   * as an error.
   */
  measure<T>(what: MeasuredUsage, work: () => Promise<T>, failed: (result: T) => boolean): Promise<T>;
}
