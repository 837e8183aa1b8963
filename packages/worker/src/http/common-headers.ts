/**
 * Headers of every response, errors too. No sniffing; no other site may embed a response (`<script src>` of a workspace's file,
 * from a page on the internet, to a local server without a token); no caching unless a route allows it.
 */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";

export const commonHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  // A WebSocket upgrade is not a document, and its response is immutable.
  if (c.res.status !== 101 && !c.get("complete")) addCommonHeaders(c.res.headers);
});

export function addCommonHeaders(headers: Headers): void {
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Referrer-Policy", "no-referrer");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
