/** The routes of sessions: sign-in, sign-out, the current scope, and narrower tokens. */
import { type Scope, SIGN_IN_PATH, sessionBody, sessionResponse, tokenBody, tokenResponse } from "../api/session.ts";
import { claimsForPrincipal, principalForToken, refused } from "../auth/bearer-token.ts";
import { requireSecret } from "../auth/deployment-secret.ts";
import type { Principal } from "../auth/principal.ts";
import { clearSessionCookie, createSessionCookie, requireSameOrigin } from "../auth/session-cookie.ts";
import { signClaims } from "../auth/signed-claims.ts";
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { defineRoute, type Route } from "./route.ts";

const path = SIGN_IN_PATH;

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path,
    summary: "Signs a browser in: the token is exchanged for an HttpOnly cookie",
    access: "public",
    body: sessionBody,
    answers: [{ schema: sessionResponse }],
    async run({ request, env, body }) {
      const secret = sessionSecret(env);
      // A foreign page must not sign a user in to another account.
      requireSameOrigin(request);
      const principal = await principalForToken(body.token, secret, Date.now());
      if (principal === null) throw refused("the token is not the right one, or its time is over");
      const { cookie, scope } = await createSessionCookie(request, principal, secret, Date.now());
      return Response.json({ ...scope, local: false, actor: principal.actor }, { headers: { "Set-Cookie": cookie } });
    },
  }),
  defineRoute({
    method: "GET",
    path,
    summary: "Who one is here, and what one may do",
    access: "authenticated",
    answers: [{ schema: sessionResponse }],
    run: async ({ principal: { scope, authMethod, actor } }) =>
      Response.json({ ...scope, local: authMethod === "local", actor }),
  }),
  defineRoute({
    method: "DELETE",
    path,
    summary: "Signs the browser out",
    access: "authenticated",
    answers: [{ status: 204, description: "signed out" }],
    run: async ({ request }) =>
      new Response(null, { status: 204, headers: { "Set-Cookie": clearSessionCookie(request) } }),
  }),
  defineRoute({
    method: "POST",
    path: "/api/tokens",
    summary: "A token for less than one's own: one workspace, reading alone, for a while",
    access: "authenticated",
    body: tokenBody,
    answers: [{ status: 201, schema: tokenResponse }],
    async run({ env, principal, body }) {
      const secret = sessionSecret(env);
      const scope = narrowed(principal, body, Date.now());
      const token = await signClaims(secret, "token", {
        ...claimsForPrincipal(principal, crypto.randomUUID().slice(0, 8)),
        ...(scope.workspace === undefined ? {} : { workspace: scope.workspace }),
        ...(scope.readOnly ? { readOnly: true as const } : {}),
        ...(scope.expiresAt === undefined ? {} : { expires: Math.floor(scope.expiresAt / 1000) }),
      });
      return Response.json({ token, ...scope }, { status: 201 });
    },
  }),
];

/** Never wider than the principal's own scope; a wider request is refused, not trimmed. */
function narrowed(
  { scope: own }: Principal,
  requested: { workspace?: string; readOnly?: boolean; expiresInSeconds?: number },
  nowMs: number,
): Scope {
  if (own.workspace !== undefined && requested.workspace !== undefined && requested.workspace !== own.workspace)
    throw new HttpError("OUT_OF_SCOPE", `this token is for the workspace "${own.workspace}" alone`);
  if (own.readOnly && requested.readOnly === false)
    throw new HttpError("OUT_OF_SCOPE", "this token is for reading alone");
  const workspace = requested.workspace ?? own.workspace;
  const expires =
    requested.expiresInSeconds === undefined ? undefined : Math.floor(nowMs / 1000 + requested.expiresInSeconds) * 1000;
  if (expires !== undefined && expires > (own.expiresAt ?? Number.POSITIVE_INFINITY))
    throw new HttpError("OUT_OF_SCOPE", "a token cannot outlive the one it comes from");
  const expiresAt = expires ?? own.expiresAt;
  return {
    ...(workspace === undefined ? {} : { workspace }),
    readOnly: requested.readOnly ?? own.readOnly,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function sessionSecret(env: Env): string {
  if (env.WORKSPACE_LOCAL !== "1") return requireSecret(env);
  const hint = "On your own machine everything is open to you; tokens are for a deployment.";
  throw new HttpError("EINVAL", "local mode has no tokens and no sessions", { hint });
}
