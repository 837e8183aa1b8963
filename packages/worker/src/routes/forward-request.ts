/**
 * How a request goes on to the workspace's own object when its endpoint runs there: one hop, with the body streaming through outside of
 * JavaScript. The URL keeps its path and query under a hostname that no request from outside can have (previews keep theirs, and the
 * rest never reaches an object), so what the header says was said by the Worker.
 */
import type { WorkspaceNamespace } from "@cloudflare/workspace";
import type { Principal } from "../auth/principal.ts";
import { HttpError } from "../errors/http-error.ts";
import type { Route } from "./route.ts";

export interface ForwardedContext {
  /** As `routeOf` calls it. */
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
 * A body whose length nobody has said stays out: when it breaks off on its way to an object, what was sent of it looks like all of it.
 * (Over RPC it does not.) Where the length is known, the endpoint finds out. JSON stays out too: it is read and refused here, where
 * a refusal before the end of a long body is still heard.
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

/** A body that breaks off takes the words of its refusal with it. */
async function refusal(answer: Response): Promise<Response> {
  const words = await answer.text().catch(() => "");
  if (words === "") throw new HttpError("ABORT_ERR", "the body broke off");
  return new Response(words, answer);
}

/** What `forwardRequest` asks; null: it is another's request. */
export function readForwardedContext(request: Request): ForwardedContext | null {
  if (!request.url.startsWith(`${ORIGIN}/`)) return null;
  return JSON.parse(decodeURIComponent(request.headers.get(HEADER) ?? "")) as ForwardedContext;
}

function pathStart(url: string): number {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start === -1 ? url.length : start;
}
