/** What every method is given: who calls, on which workspace, in which session. */
import type { WorkspaceClient } from "@cloudflare/workspace";
import type { Visitor } from "../auth/visitor.ts";
import type { Env } from "../env.ts";
import type { McpTools } from "./mcp-tools.ts";

export interface McpCall {
  readonly env: Env;
  readonly visitor: Visitor;
  /** Of the workspace. */
  readonly name: string;
  /** Under the visitor's name, for reading; tools have a name of their own in the log. */
  readonly workspace: WorkspaceClient;
  readonly tools: () => Promise<McpTools>;
  /** Null: the client works without one. */
  readonly session: string | null;
}
