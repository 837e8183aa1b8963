/** The caller's identity. The page signs in with a token and gets a cookie; programs send the token itself. */
import { z } from "zod";
import { workspaceName } from "./workspaces.ts";

/** The permissions of a token. */
export const scope = z.object({
  /** Absent: every workspace. */
  workspace: z.string().optional(),
  readOnly: z.boolean(),
  /** Milliseconds since 1970; absent: never. */
  expiresAt: z.number().optional(),
});
export type Scope = z.infer<typeof scope>;

/** Sign-in: the only request that needs no credential besides its body. */
export const SIGN_IN_PATH = "/api/session";

export const sessionBody = z.strictObject({ token: z.string().min(1).max(4096) });
export type SessionBody = z.infer<typeof sessionBody>;
export const sessionResponse = scope.extend({
  /** Local mode: no token is needed, and there is nothing to sign out of. */
  local: z.boolean(),
  actor: z.string(),
});
export type SessionResponse = z.infer<typeof sessionResponse>;

export const tokenBody = z.strictObject({
  workspace: workspaceName.optional(),
  readOnly: z.boolean().optional(),
  expiresInSeconds: z.int().min(1).max(31_536_000).optional(),
});
export type TokenBody = z.infer<typeof tokenBody>;
export const tokenResponse = scope.extend({ token: z.string() });
export type TokenResponse = z.infer<typeof tokenResponse>;

/** The header that every changing request with a cookie needs (any value): a page of another origin cannot send it. */
export const REQUEST_HEADER = "X-Workspace-Request";
/** The client's own name for itself: a suffix of the actor in the log. */
export const ACTOR_HEADER = "X-Workspace-Actor";
/** Groups the changes of several requests in the log. */
export const CALL_HEADER = "X-Workspace-Call";
