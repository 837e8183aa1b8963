/**
 * What every answer bears, refusals too. Nothing is sniffed; no other site may embed what is here (`<script src>` of a workspace's
 * file, from a page on the internet, to a local server that asks for no token); nothing is kept unless a route says so.
 */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env.ts";

export const commonHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  // A socket is no document, and its answer cannot be touched.
  if (c.res.status !== 101 && !c.get("complete")) addCommonHeaders(c.res.headers);
});

export function addCommonHeaders(headers: Headers): void {
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Referrer-Policy", "no-referrer");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
}
