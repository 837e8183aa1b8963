/**
 * The page's cookie: a session signed by the secret, HttpOnly and SameSite=Strict. Browsers send cookies automatically, so a cookie
 * alone does not prove who made the request. Changes need this server's own `Origin` and a header that no foreign page can send.
 * Reads need that header or the browser's statement that this origin's page made the request (links and images cannot have
 * headers). A WebSocket needs `Origin`.
 */
import { REQUEST_HEADER, type Scope } from "../api/session.ts";
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { claimsForPrincipal, principalForClaims, refused } from "./bearer-token.ts";
import type { Principal } from "./principal.ts";
import { signClaims, verifyClaims } from "./signed-claims.ts";

const NAME = "workspace";
const SECURE_NAME = "__Host-workspace";

/** The cookie of this request, or null. A cookie sent twice is rejected: a neighboring host may have planted one. */
export function sessionCookie(request: Request): string | null {
  const name = cookieName(request);
  const values = (request.headers.get("Cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] as string) : null;
}

export async function authenticateCookie(
  request: Request,
  cookie: string,
  secret: string,
  nowMs: number,
): Promise<Principal> {
  const claims = await verifyClaims(secret, "session", cookie, nowMs);
  if (claims === null) throw refused("the session is over: sign in again");
  requireSameOrigin(request);
  return { ...principalForClaims(claims), authMethod: "cookie" };
}

/** `Set-Cookie` for a principal that presented a token; the session ends with the token. */
export async function createSessionCookie(request: Request, principal: Principal, secret: string, nowMs: number) {
  const { scope } = principal;
  const latest = Math.floor(nowMs / 1000) + LIMITS.sessionSeconds;
  const expires = Math.min(latest, Math.floor((scope.expiresAt ?? Number.POSITIVE_INFINITY) / 1000));
  const value = await signClaims(secret, "session", {
    ...claimsForPrincipal(principal),
    ...(scope.workspace === undefined ? {} : { workspace: scope.workspace }),
    ...(scope.readOnly ? { readOnly: true as const } : {}),
    expires,
  });
  const session: Scope = { ...scope, expiresAt: expires * 1000 };
  return { cookie: setCookie(request, value, expires - Math.floor(nowMs / 1000)), scope: session };
}

export function clearSessionCookie(request: Request): string {
  return setCookie(request, "", 0);
}

export function requireSameOrigin(request: Request): void {
  const { headers, method, url } = request;
  const origin = headers.get("Origin");
  if (origin !== null && origin.toLowerCase() !== new URL(url).origin)
    throw foreign("this request comes from a page of another origin");
  const marked = headers.has(REQUEST_HEADER);
  const upgrade = headers.get("Upgrade")?.toLowerCase() === "websocket";
  if (upgrade || !(method === "GET" || method === "HEAD")) {
    if (origin === null) throw foreign("a request with a cookie needs an Origin");
    if (!marked && !upgrade) throw foreign(`a request with a cookie needs the header ${REQUEST_HEADER}`);
  } else if (!marked && headers.get("Sec-Fetch-Site") !== "same-origin") {
    throw foreign(`a request with a cookie needs the header ${REQUEST_HEADER}`);
  }
}

function foreign(message: string): HttpError {
  const hint = `Call from this server's own page with the header ${REQUEST_HEADER}: 1, or send a bearer token instead of a cookie.`;
  return new HttpError("FORBIDDEN", message, { hint });
}

/** With https the name's prefix makes browsers require Secure, Path=/ and no Domain. */
function cookieName(request: Request): string {
  return isSecure(request) ? SECURE_NAME : NAME;
}

/** Whether this lowercase name is that of a session cookie. */
export function isSessionCookie(name: string): boolean {
  return name === NAME || name === SECURE_NAME.toLowerCase();
}

function setCookie(request: Request, value: string, maxAge: number): string {
  const secure = isSecure(request) ? "; Secure" : "";
  return `${cookieName(request)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
}

function isSecure(request: Request): boolean {
  return new URL(request.url).protocol === "https:";
}
