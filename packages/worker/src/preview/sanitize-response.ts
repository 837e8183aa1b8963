/**
 * Restricts a previewed server's response to its own content. Cookies lose their domain, and so stay on this hostname. Headers that
 * change how the browser treats the host beyond this page, or the whole domain, are dropped.
 */

import { expiringSocket } from "./expiring-socket.ts";
import { isOwnCookie } from "./preview-ticket.ts";
import { ownReference } from "./preview-url.ts";

const DROPPED = [
  "Service-Worker-Allowed",
  "Strict-Transport-Security",
  "Public-Key-Pins",
  "Expect-CT",
  "Clear-Site-Data",
  "NEL",
  "Report-To",
  "Reporting-Endpoints",
  "Alt-Svc",
  "Origin-Agent-Cluster",
  "Document-Policy",
  "Permissions-Policy",
  "Access-Control-Allow-Credentials",
  "Cross-Origin-Resource-Policy",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Embedder-Policy",
];

/** Caches read these before Cache-Control. */
const CACHE_DIRECTIVES = /(?:^|-)cdn-cache-control$|^surrogate-/;

/** `expiresAt`: of the preview cookie; an open WebSocket ends then. In milliseconds. */
export function sanitizeResponse(response: Response, port: number, expiresAt: number): Response {
  const { webSocket } = response;
  const clean =
    webSocket === null
      ? new Response(response.body, response)
      : new Response(null, {
          status: 101,
          headers: response.headers,
          webSocket: expiringSocket(webSocket, expiresAt),
        });
  const { headers } = clean;
  for (const name of DROPPED) headers.delete(name);
  for (const name of [...headers.keys()]) if (CACHE_DIRECTIVES.test(name)) headers.delete(name);
  const cookies = headers.getSetCookie();
  headers.delete("Set-Cookie");
  for (const cookie of cookies) if (!isOwnCookie(cookie)) headers.append("Set-Cookie", withoutDomain(cookie));
  const location = headers.get("Location");
  if (location !== null) headers.set("Location", ownLocation(location, port));
  // No shared cache may store what needs a preview cookie.
  headers.set(
    "Cache-Control",
    `private, ${headers.get("Cache-Control") ?? "no-store"}`.replace(/,\s*(?:public|s-maxage=[^,]*)/gi, ""),
  );
  headers.set("Referrer-Policy", "same-origin");
  headers.set("X-Robots-Tag", "noindex");
  return clean;
}

function withoutDomain(cookie: string): string {
  return cookie
    .split(";")
    .filter((part, i) => i === 0 || !/^\s*domain\s*(?:=|$)/i.test(part))
    .join(";");
}

/** A server that redirects to itself names its internal address in the container. */
function ownLocation(location: string, port: number): string {
  const url = URL.canParse(location) ? new URL(location) : null;
  const own =
    url !== null &&
    /^(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)$/.test(url.hostname) &&
    Number(url.port || 80) === port;
  return own && url !== null ? ownReference(url) : location;
}
