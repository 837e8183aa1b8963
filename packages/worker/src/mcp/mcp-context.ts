/** The context of every method: principal, workspace, session. */
import type { WorkspaceClient } from "@cloudflare/workspace";
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";
import type { PreviewOrigin } from "../preview/preview-url.ts";

export interface McpContext {
  readonly env: Env;
  readonly principal: Principal;
  /** The principal's actor, with the client's own name as a suffix if the request has one. */
  readonly actor: string;
  /** Of the workspace. */
  readonly name: string;
  /** A read view under the principal's name and the model policy; tools run in the object, under a name of their own. */
  readonly workspace: WorkspaceClient;
  /** Where the client can reach a port of the container. */
  readonly previews: PreviewOrigin | null;
  /** Null: the client has no session. */
  readonly session: string | null;
}
