/** What every method is given: who calls, on which workspace, in which session. */
import type { WorkspaceClient } from "@cloudflare/workspace";
import type { Visitor } from "../auth/visitor.ts";
import type { Env } from "../env.ts";
import type { PreviewPlace } from "../preview-address/preview-url.ts";

export interface McpCall {
  readonly env: Env;
  readonly visitor: Visitor;
  /** The visitor's, and the client's own name below it if the request has one. */
  readonly actor: string;
  /** Of the workspace. */
  readonly name: string;
  /** Under the visitor's name and the policy for models, for reading; tools run in the object, under a name of their own. */
  readonly workspace: WorkspaceClient;
  /** Where the client would see a port of the container. */
  readonly previews: PreviewPlace | null;
  /** Null: the client works without one. */
  readonly session: string | null;
}
