/**
 * Local mode: there is no token, so the request itself must prove that it comes from this machine and not from a foreign web page.
 * Addresses in headers (X-Forwarded-For, CF-Connecting-IP) are ignored: anyone can write them.
 * - `Host` must name this machine. A page whose own name resolves to 127.0.0.1 (DNS rebinding) sends that name.
 * - `Origin`, which browsers add to every change and to every cross-origin read, must be this server.
 * - The proxy's key, if there is one: `wrangler dev` lets a request rewrite its own Host with `MF-Original-URL`, so the proxy in
 *   front of it checks first, and the key proves that it did (local/host-check-proxy.mjs).
 */
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { constantTimeEqual } from "./constant-time-equal.ts";

const LOCAL_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/** The header that the proxy sets. */
const PROXY_KEY_HEADER = "X-Workspace-Gate";

export function requireLoopback(request: Request, env: Env): void {
  const { headers } = request;
  const host = headers.get("Host") ?? "";
  if (!LOCAL_HOST.test(host)) throw new HttpError("FORBIDDEN", "the Host of this request is not this machine");
  const origin = headers.get("Origin");
  if (origin !== null && origin.toLowerCase() !== `${new URL(request.url).protocol}//${host.toLowerCase()}`) {
    throw new HttpError("FORBIDDEN", "this request comes from a page of another origin");
  }
  // A read without Origin from a foreign page (an image, a script): browsers report it themselves.
  const site = headers.get("Sec-Fetch-Site");
  if ((site === "cross-site" || site === "same-site") && headers.get("Sec-Fetch-Mode") !== "navigate") {
    throw new HttpError("FORBIDDEN", "this request comes from a page of another origin");
  }
  requireProxyKey(headers, env);
}

export function requireProxyKey(headers: Headers, env: Env): void {
  const key = env.WORKSPACE_LOCAL_KEY;
  if (key && !constantTimeEqual(headers.get(PROXY_KEY_HEADER) ?? "", key)) {
    throw new HttpError("FORBIDDEN", "this request did not come through the proxy of `npm start`");
  }
}
