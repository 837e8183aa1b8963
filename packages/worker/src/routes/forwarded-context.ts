/**
 * The context of a request that the Worker forwards to the workspace's object, in one header. Clients cannot forge it: the Worker
 * overwrites the header, and the URL has a hostname that no other request to an object has (a preview request has its own hostname,
 * and loses every `X-Workspace-*` header).
 */
import type { Principal } from "../auth/principal.ts";

export interface ForwardedContext {
  /** The route's key, or MCP_PATH. */
  route: string;
  principal: Principal;
  /** Of the workspace. */
  name: string;
  /** Where the client sent the request: scheme and host of the URL, and its Host header. */
  origin: string;
  host: string | null;
  /** Comes after the last byte of a body of unknown length. */
  endMarker?: string;
}

/** The path and the key of MCP, which is no route of the API. */
export const MCP_PATH = "/mcp/:name";

const INSIDE_ORIGIN = "https://inside.invalid";
const HEADER = "X-Workspace-Context";

/** The request for the object, with the same path and query. */
export function contextRequest(request: Request, context: ForwardedContext, init: RequestInit | Request): Request {
  const inside = new Request(`${INSIDE_ORIGIN}${request.url.slice(context.origin.length)}`, init);
  inside.headers.set(HEADER, encodeURIComponent(JSON.stringify(context)));
  return inside;
}

/** Null: the Worker did not forward this request. */
export function readForwardedContext(request: Request): ForwardedContext | null {
  if (!request.url.startsWith(`${INSIDE_ORIGIN}/`)) return null;
  return JSON.parse(decodeURIComponent(request.headers.get(HEADER) ?? "")) as ForwardedContext;
}

/** Scheme and host of a URL, as written. */
export function originOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start === -1 ? url : url.slice(0, start);
}
