/**
 * Handles every request to a preview hostname; the API never sees it. Checks the preview cookie, forwards the request to the port
 * in the workspace's container without our headers and cookies, and sanitizes the response.
 */
import { proxyPort } from "@cloudflare/workspace";
import { createMiddleware } from "hono/factory";
import { hasSecret } from "../auth/deployment-secret.ts";
import { requireProxyKey } from "../auth/local-mode.ts";
import { callDeploymentVerb } from "../deployment-verbs.ts";
import type { AppEnv, Env } from "../env.ts";
import { type PreviewHost, parsePreviewHost } from "./preview-host.ts";
import {
  LINK_PARAMETER,
  previewCookie,
  verifyPreviewCookie,
  verifyPreviewLink,
  withoutPreviewCookie,
} from "./preview-ticket.ts";
import { ownReference } from "./preview-url.ts";
import { sanitizeResponse } from "./sanitize-response.ts";

export const preview = createMiddleware<AppEnv>(async (c, next) => {
  const host = parsePreviewHost(c.req.raw, c.env);
  if (host === null) return next();
  if (c.env.WORKSPACE_LOCAL === "1") requireProxyKey(c.req.raw.headers, c.env);
  else if (!hasSecret(c.env)) return refused(503);
  return host === "unknown" ? refused(404) : answer(c.req.raw, c.env, host);
});

async function answer(request: Request, env: Env, host: PreviewHost): Promise<Response> {
  const url = new URL(request.url);
  const now = Date.now();
  const link = url.searchParams.get(LINK_PARAMETER);
  if (link !== null && request.method === "GET") {
    const claims = await verifyPreviewLink(env, host, link, now);
    if (claims?.workspace === undefined) return refused(401);
    if (!(await callDeploymentVerb(env, claims.workspace, "consumePreviewLink", claims.id, claims.expires ?? 0)))
      return refused(401);
    url.searchParams.delete(LINK_PARAMETER);
    const cookie = await previewCookie(env, claims, url.protocol === "https:", now);
    const headers = {
      Location: ownReference(url),
      "Set-Cookie": cookie,
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
    };
    return new Response(null, { status: 302, headers });
  }
  const claims = await verifyPreviewCookie(env, host, request.headers.get("Cookie"), now);
  if (claims?.workspace === undefined || !isSameWorkspace(request, env, host)) return refused(401);
  const response = await proxyPort(objectOf(env, claims.workspace), proxiedRequest(request), host.port);
  return sanitizeResponse(response, host.port, (claims.expires ?? 0) * 1000);
}

function objectOf({ WORKSPACE }: Env, name: string): DurableObjectStub {
  return WORKSPACE.get(WORKSPACE.idFromName(name)) as DurableObjectStub;
}

/**
 * Previews are one site to a browser, so a page of another workspace's preview can send requests with this one's cookie. Browsers
 * say who sends: an Origin must be a preview of this workspace.
 */
function isSameWorkspace({ headers, url }: Request, env: Env, { hash }: PreviewHost): boolean {
  const origin = headers.get("Origin");
  if (origin === null) return true;
  const { protocol, host } = new URL(url);
  if (origin.toLowerCase() === `${protocol}//${host}`) return true;
  const page = URL.parse(origin);
  if (page === null || page.protocol !== protocol) return false;
  const from = parsePreviewHost(new Request(page, { headers: { Host: page.host } }), env);
  return from !== null && from !== "unknown" && from.hash === hash;
}

/** Headers by which a proxy describes the client; a client's own would pass for ours. */
const FROM_PROXIES =
  /^(?:x-workspace-|x-forwarded-|x-original-|x-rewrite-|cf-|mf-|(?:forwarded|x-real-ip|true-client-ip|x-client-ip)$)/;

/** The request for the port, without our headers and cookies. */
function proxiedRequest(request: Request): Request {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of [...headers.keys()]) if (FROM_PROXIES.test(name)) headers.delete(name);
  for (const name of ["Authorization", "Proxy-Authorization", "Cookie"]) headers.delete(name);
  const cookies = withoutPreviewCookie(request.headers.get("Cookie"));
  if (cookies !== "") headers.set("Cookie", cookies);
  headers.set("X-Forwarded-Host", url.host);
  headers.set("X-Forwarded-Proto", url.protocol.slice(0, -1));
  return new Request(request, { headers, redirect: "manual" });
}

function refused(status: 401 | 404 | 503): Response {
  const text = {
    401: "Open this preview from the studio, or ask for its address again: POST ports.",
    404: "There is no such preview.",
    503: "There is no WORKSPACE_TOKEN yet, or it is too short.",
  }[status];
  return new Response(`${text}\n`, {
    status,
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      "Content-Security-Policy": "default-src 'none'",
    },
  });
}
