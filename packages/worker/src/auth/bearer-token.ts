/** `Authorization: Bearer <token>`: the secret `WORKSPACE_TOKEN` itself, or a scoped token that it signed. */
import { HttpError } from "../errors/http-error.ts";
import { constantTimeEqual } from "./constant-time-equal.ts";
import { FULL_SCOPE, type Principal } from "./principal.ts";
import { type Claims, verifyClaims } from "./signed-claims.ts";

export async function authenticateBearer(headers: Headers, secret: string, nowMs: number): Promise<Principal> {
  const match = /^bearer +([^\s,]+) *$/i.exec(headers.get("Authorization") ?? "");
  if (match?.[1] === undefined) throw refused("this needs a bearer token");
  const principal = await principalForToken(match[1], secret, nowMs);
  if (principal === null) throw refused("the bearer token is not the right one, or its time is over");
  return principal;
}

/** The principal of a token; null if the token is invalid. */
export async function principalForToken(token: string, secret: string, nowMs: number): Promise<Principal | null> {
  if (constantTimeEqual(token, secret))
    return { actor: "http", authMethod: "token", scope: FULL_SCOPE, tokenId: "", rateLimitKey: "secret" };
  const claims = await verifyClaims(secret, "token", token, nowMs);
  return claims === null ? null : { ...principalForClaims(claims), authMethod: "token" };
}

export function principalForClaims({ id, root, workspace, readOnly, expires }: Claims): Omit<Principal, "authMethod"> {
  return {
    actor: id === "" ? "http" : `http:${id}`,
    scope: {
      ...(workspace === undefined ? {} : { workspace }),
      readOnly: readOnly === true,
      ...(expires === undefined ? {} : { expiresAt: expires * 1000 }),
    },
    tokenId: id,
    rateLimitKey: id === "" ? "secret" : (root ?? id),
  };
}

/** The claims of a token for this principal, or, with another `id`, for a principal that derives from it. */
export function claimsForPrincipal(
  { tokenId, rateLimitKey }: Principal,
  id: string = tokenId,
): Pick<Claims, "id" | "root"> {
  const root = tokenId === "" || rateLimitKey === null || rateLimitKey === id ? {} : { root: rateLimitKey };
  return { id, ...root };
}

export function refused(message: string): HttpError {
  return new HttpError("UNAUTHORIZED", message, { headers: { "WWW-Authenticate": 'Bearer realm="workspace"' } });
}
