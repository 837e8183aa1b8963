/** Signing in and out, what one may do, and narrower tokens for others. */
import { type Scope, SIGN_IN_PATH, sessionAnswer, sessionBody, tokenAnswer, tokenBody } from "../api/session.ts";
import { refused, visitorOf } from "../auth/bearer-token.ts";
import { requireSecret } from "../auth/deployment-secret.ts";
import { cookieFor, noCookie, requireOwnPage } from "../auth/session-cookie.ts";
import { sign } from "../auth/signed.ts";
import type { Visitor } from "../auth/visitor.ts";
import { type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";

const path = SIGN_IN_PATH;

export const sessionEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path,
    summary: "Signs a browser in: the token is exchanged for an HttpOnly cookie",
    access: "stranger",
    body: sessionBody,
    answers: [{ schema: sessionAnswer }],
    async run({ request, env, body }) {
      const secret = secretOf(env);
      // Nobody is signed in to another's account by a page elsewhere.
      requireOwnPage(request);
      const visitor = await visitorOf(body.token, secret, Date.now());
      if (visitor === null) throw refused("the token is not the right one, or its time is over");
      const { cookie, scope } = await cookieFor(request, visitor, secret, Date.now());
      return Response.json({ ...scope, local: false, actor: visitor.actor }, { headers: { "Set-Cookie": cookie } });
    },
  }),
  endpoint({
    method: "GET",
    path,
    summary: "Who one is here, and what one may do",
    access: "any",
    answers: [{ schema: sessionAnswer }],
    run: async ({ visitor: { scope, via, actor } }) => Response.json({ ...scope, local: via === "local", actor }),
  }),
  endpoint({
    method: "DELETE",
    path,
    summary: "Signs the browser out",
    access: "any",
    answers: [{ status: 204, says: "signed out" }],
    run: async ({ request }) => new Response(null, { status: 204, headers: { "Set-Cookie": noCookie(request) } }),
  }),
  endpoint({
    method: "POST",
    path: "/api/tokens",
    summary: "A token for less than one's own: one workspace, reading alone, for a while",
    access: "any",
    body: tokenBody,
    answers: [{ status: 201, schema: tokenAnswer }],
    async run({ env, visitor, body }) {
      const secret = secretOf(env);
      const scope = narrowed(visitor, body, Date.now());
      const token = await sign(secret, "token", {
        id: crypto.randomUUID().slice(0, 8),
        ...(scope.workspace === undefined ? {} : { workspace: scope.workspace }),
        ...(scope.readOnly ? { readOnly: true as const } : {}),
        ...(scope.expiresAt === undefined ? {} : { expires: Math.floor(scope.expiresAt / 1000) }),
      });
      return Response.json({ token, ...scope }, { status: 201 });
    },
  }),
];

/** Never wider than the visitor's own; what was asked for and cannot be given is refused, not trimmed. */
function narrowed(
  { scope: own }: Visitor,
  asked: { workspace?: string; readOnly?: boolean; expiresInSeconds?: number },
  nowMs: number,
): Scope {
  if (own.workspace !== undefined && asked.workspace !== undefined && asked.workspace !== own.workspace)
    throw new HttpError("OUT_OF_SCOPE", `this token is for the workspace "${own.workspace}" alone`);
  if (own.readOnly && asked.readOnly === false) throw new HttpError("OUT_OF_SCOPE", "this token is for reading alone");
  const workspace = asked.workspace ?? own.workspace;
  const expires =
    asked.expiresInSeconds === undefined ? undefined : Math.floor(nowMs / 1000 + asked.expiresInSeconds) * 1000;
  if (expires !== undefined && expires > (own.expiresAt ?? Number.POSITIVE_INFINITY))
    throw new HttpError("OUT_OF_SCOPE", "a token cannot outlive the one it comes from");
  const expiresAt = expires ?? own.expiresAt;
  return {
    ...(workspace === undefined ? {} : { workspace }),
    readOnly: asked.readOnly ?? own.readOnly,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function secretOf(env: Env): string {
  if (env.WORKSPACE_LOCAL !== "1") return requireSecret(env);
  const hint = "On your own machine everything is open to you; tokens are for a deployment.";
  throw new HttpError("EINVAL", "local mode has no tokens and no sessions", { hint });
}
