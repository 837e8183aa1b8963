/**
 * Who may come in, decided before any route: local mode where `npm start` has set it, else a token, else the page's cookie, else
 * nobody. Everything is behind it, so that a stranger cannot tell one path from another; only signing in is in front of it, and is
 * counted for all strangers together.
 */
import { createMiddleware } from "hono/factory";
import type { AppEnv, Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { refused, requireToken } from "./bearer-token.ts";
import { requireLocal } from "./local-mode.ts";
import { Rates } from "./rate.ts";
import { requireSession, sessionCookie } from "./session-cookie.ts";
import { EVERYTHING, type Visitor } from "./visitor.ts";

/** Sign-ins of strangers, a second. */
const SIGN_INS = 5;

export function createDoor() {
  const rates = new Rates();
  return createMiddleware<AppEnv>(async (c, next) => {
    const now = Date.now();
    const visitor = await admit(c.req.raw, c.env, now);
    if (visitor !== "stranger" && visitor.holder !== null) rates.take(visitor.holder, now, perSecond(c.env));
    if (visitor === "stranger") rates.take("stranger", now, SIGN_INS);
    else c.set("visitor", visitor);
    await next();
  });
}

function perSecond({ WORKSPACE_RATE }: Env): number {
  const rate = Number(WORKSPACE_RATE);
  return rate > 0 ? rate : LIMITS.requestsPerSecond;
}

async function admit(request: Request, env: Env, nowMs: number): Promise<Visitor | "stranger"> {
  if (env.WORKSPACE_LOCAL === "1") {
    requireLocal(request, env);
    return { actor: "http:local", via: "local", scope: EVERYTHING, holder: null };
  }
  const secret = env.WORKSPACE_TOKEN;
  if (!secret) throw new HttpError("NOT_CONFIGURED", "nobody may come in yet: there is no WORKSPACE_TOKEN");
  if (isSignIn(request)) return "stranger";
  if (request.headers.has("Authorization")) return requireToken(request.headers, secret, nowMs);
  const cookie = sessionCookie(request);
  if (cookie === null) throw refused("this needs a bearer token");
  return requireSession(request, cookie, secret, nowMs);
}

/** The one request that brings its token in its body. */
function isSignIn({ method, url }: Request): boolean {
  return method === "POST" && new URL(url).pathname === "/api/session";
}
