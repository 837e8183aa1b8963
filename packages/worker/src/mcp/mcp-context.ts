/** What every method is given: who calls, on which workspace, in which session. */
import type { WorkspaceClient } from "@cloudflare/workspace";
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";
import type { PreviewOrigin } from "../preview-address/preview-url.ts";

export interface McpContext {
  readonly env: Env;
  readonly principal: Principal;
  /** The principal's, and the client's own name below it if the request has one. */
  readonly actor: string;
  /** Of the workspace. */
  readonly name: string;
  /** Under the principal's name and the policy for models, for reading; tools run in the object, under a name of their own. */
  readonly workspace: WorkspaceClient;
  /** Where the client would see a port of the container. */
  readonly previews: PreviewOrigin | null;
  /** Null: the client works without one. */
  readonly session: string | null;
}
