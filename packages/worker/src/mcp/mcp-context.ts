/** The context of every method: principal, workspace, session. Methods run in the workspace's object. */
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";
import type { ObjectServices } from "../object/object-services.ts";
import type { PreviewOrigin } from "../preview/preview-url.ts";
import type { CallWorkspace } from "../routes/route.ts";
import type { SessionRow } from "./store/session-rows.ts";

export interface McpContext {
  readonly env: Env;
  readonly principal: Principal;
  /** The principal's actor, with the client's own name as a suffix if the request has one. */
  readonly actor: string;
  /** Of the workspace. */
  readonly name: string;
  /** A view under the principal's name and the model policy; tools have a view of their own. */
  readonly workspace: CallWorkspace;
  readonly object: ObjectServices;
  /** Where the client can reach a port of the container. */
  readonly previews: PreviewOrigin | null;
  /** Null: the client has no session. */
  readonly session: SessionRow | null;
}
