/**
 * Forwards a request to the workspace's object when its route runs there: one hop, with the body streaming outside of JavaScript.
 * The URL keeps its path and query under a hostname that no external request can have (previews keep theirs, and other requests
 * never reach an object), so only the Worker can have set the header.
 */
import type { WorkspaceNamespace } from "@cloudflare/workspace";
import type { Principal } from "../auth/principal.ts";
import { HttpError } from "../errors/http-error.ts";
import type { Route } from "./route.ts";

export interface ForwardedContext {
  /** Its name in `routeOf`. */
  route: string;
  principal: Principal;
  /** Of the workspace. */
  name: string;
}

const ORIGIN = "https://inside.invalid";
const HEADER = "X-Workspace-Inside";

export function routeOf({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path}`;
}

/**
 * A body of unknown length is not forwarded: if it breaks off on the way to an object, the truncated body looks complete. (Over RPC
 * it does not.) With a known length, the route detects it. JSON is not forwarded either: it is read and refused here, where an
 * error before the end of a long body still reaches the client.
 */
export function goesInside({ inside, body: taken }: Route, { body, headers }: Request): boolean {
  return inside !== undefined && (body === null || (taken === "bytes" && headers.has("Content-Length")));
}

export async function forwardRequest(
  namespace: WorkspaceNamespace,
  request: Request,
  requested: ForwardedContext,
): Promise<Response> {
  const inside = new Request(`${ORIGIN}${request.url.slice(pathStart(request.url))}`, request);
  inside.headers.set(HEADER, encodeURIComponent(JSON.stringify(requested)));
  const object = namespace.get(namespace.idFromName(requested.name)) as DurableObjectStub;
  const answer = await object.fetch(inside).catch((cause: unknown) => {
    console.error(cause);
    throw new HttpError("UNAVAILABLE", "the workspace could not be reached", { cause });
  });
  return answer.status >= 400 && request.body !== null ? refusal(answer) : answer;
}

/** A body that breaks off would lose its error message. */
async function refusal(answer: Response): Promise<Response> {
  const words = await answer.text().catch(() => "");
  if (words === "") throw new HttpError("ABORT_ERR", "the body broke off");
  return new Response(words, answer);
}

/** The context that `forwardRequest` set; null: not a forwarded request. */
export function readForwardedContext(request: Request): ForwardedContext | null {
  if (!request.url.startsWith(`${ORIGIN}/`)) return null;
  return JSON.parse(decodeURIComponent(request.headers.get(HEADER) ?? "")) as ForwardedContext;
}

function pathStart(url: string): number {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start === -1 ? url.length : start;
}
