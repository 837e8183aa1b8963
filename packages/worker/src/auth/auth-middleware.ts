/**
 * Authenticates each request before routing: local mode where `npm start` has set it, else a bearer token, else the page's cookie,
 * else 401. All paths except sign-in are behind it, so an anonymous client cannot tell one from another. Failures are counted by
 * address.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { SIGN_IN_PATH } from "../api/session.ts";
import type { AppEnv, Env } from "../env.ts";
import { rawPath } from "../http/raw-path.ts";
import { LIMITS } from "../limits.ts";
import { authenticateBearer, refused } from "./bearer-token.ts";
import { requireSecret } from "./deployment-secret.ts";
import { FailedAttempts } from "./failed-attempts.ts";
import { requireLoopback } from "./local-mode.ts";
import { FULL_SCOPE, type Principal } from "./principal.ts";
import { type Rate, RateLimiter } from "./rate-limiter.ts";
import { authenticateCookie, sessionCookie } from "./session-cookie.ts";

export function authMiddleware() {
  const rates = new RateLimiter(rateOf(LIMITS.requestsPerSecond), "the rate limit of this token is exceeded");
  const attempts = new FailedAttempts();
  return createMiddleware<AppEnv>(async (c, next) => {
    const now = Date.now();
    if (c.env.WORKSPACE_LOCAL !== "1" && isSignIn(c.req.raw)) return signIn(c, attempts, next);
    const principal = await authenticate(c.req.raw, c.env, attempts, now);
    if (principal.rateLimitKey !== null) rates.consume(principal.rateLimitKey, now, tokenRate(c.env));
    c.set("principal", principal);
    await next();
  });
}

function tokenRate({ WORKSPACE_RATE }: Env): Rate {
  const rate = Number(WORKSPACE_RATE);
  return rateOf(rate > 0 ? rate : LIMITS.requestsPerSecond);
}

function rateOf(perSecond: number): Rate {
  return { perSecond, burst: (LIMITS.requestBurst / LIMITS.requestsPerSecond) * perSecond };
}

async function authenticate(request: Request, env: Env, attempts: FailedAttempts, nowMs: number): Promise<Principal> {
  if (env.WORKSPACE_LOCAL === "1") {
    requireLoopback(request, env);
    return { actor: "http:local", authMethod: "local", scope: FULL_SCOPE, tokenId: "", rateLimitKey: null };
  }
  const secret = requireSecret(env);
  const header = request.headers.get("Authorization");
  const cookie = sessionCookie(request);
  const credential = header ?? cookie;
  if (credential === null) throw refused("this needs a bearer token");
  return attempts.guard(request, credential, nowMs, async () =>
    header === null
      ? authenticateCookie(request, credential, secret, nowMs)
      : authenticateBearer(request.headers, secret, nowMs),
  );
}

/** The only request with its token in the body; the route reads it. */
async function signIn(c: Context<AppEnv>, attempts: FailedAttempts, next: () => Promise<void>): Promise<void> {
  requireSecret(c.env);
  await attempts.guard(c.req.raw, null, Date.now(), next, () => c.res.status === 401);
}

function isSignIn({ method, url }: Request): boolean {
  return method === "POST" && rawPath(url) === SIGN_IN_PATH;
}
