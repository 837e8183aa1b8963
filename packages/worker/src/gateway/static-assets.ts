/**
 * Serves the studio's build. Its files hold no data, so they come before the auth middleware: an anonymous user gets the page that
 * asks for a token. In local mode the Host is still checked; without a secret there is no page.
 */
import { createMiddleware } from "hono/factory";
import { hasSecret } from "../auth/deployment-secret.ts";
import { requireLoopback } from "../auth/local-mode.ts";
import type { AppEnv, Env } from "../env.ts";
import { rawPath } from "../http/raw-path.ts";

/**
 * Allows scripts of the build only, not of the whole origin, which also serves workspace files. Inline styles are allowed, because
 * the editor and the terminal create theirs at run time.
 */
const policy = (origin: string) =>
  [
    "default-src 'none'",
    `script-src ${origin}${BUILD}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The directory of the build's files; their names contain a hash. */
const BUILD = "/assets/";

export const staticAssets = createMiddleware<AppEnv>(async (c, next) => {
  const asset = assetFor(c.req.raw, c.env);
  if (asset === null || c.env.ASSETS === undefined) return next();
  if (c.env.WORKSPACE_LOCAL === "1") requireLoopback(c.req.raw, c.env);
  const { headers, method } = c.req.raw;
  const found = await c.env.ASSETS.fetch(
    new Request(new URL(asset, c.req.url), { method, headers: conditions(headers) }),
  );
  if (!found.ok && found.status !== 304) return next();
  const response = new Response(found.body, found);
  response.headers.set("Content-Security-Policy", policy(new URL(c.req.url).origin));
  response.headers.set("Cross-Origin-Opener-Policy", "same-origin");
  // Build files have a hash in their name; the page itself is always revalidated.
  const hashed = asset.startsWith(BUILD);
  response.headers.set("Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
  return response;
});

/** The requested file; null if it is none. A program that requests `/` gets curl instructions. */
function assetFor(request: Request, env: Env): string | null {
  const configured = env.WORKSPACE_LOCAL === "1" || hasSecret(env);
  if (!configured || (request.method !== "GET" && request.method !== "HEAD")) return null;
  const path = rawPath(request.url);
  const wantsPage = request.headers.get("Accept")?.includes("text/html") === true;
  if (path === "/") return wantsPage ? "/" : null;
  if (/^\/(?:api|mcp)(?:\/|$)/.test(path)) return null;
  return /^(?:\/[\w-][\w.-]*)+\.\w+$/.test(path) ? path : null;
}

function conditions(headers: Headers): Headers {
  const passed = new Headers();
  for (const name of ["If-None-Match", "Accept-Encoding"]) {
    const value = headers.get(name);
    if (value !== null) passed.set(name, value);
  }
  return passed;
}
