/**
 * Forwards a request to the workspace's object, where its route runs beside the data: one hop. A body of known length streams
 * outside of JavaScript. Long JSON is read and refused here, because an error before the end of a long body still reaches the client
 * here. Bytes of unknown length get an end marker.
 */
import type { WorkspaceNamespace } from "@cloudflare/workspace";
import type { Principal } from "../auth/principal.ts";
import { HttpError } from "../errors/http-error.ts";
import { createEndMarker, withEndMarker } from "../http/end-marker.ts";
import { jsonBytes } from "../http/json-body.ts";
import { drainBody } from "../http/read-body.ts";
import { LIMITS } from "../limits.ts";
import { contextRequest, type ForwardedContext, originOf } from "../routes/forwarded-context.ts";

export interface ForwardedRoute {
  key: string;
  body: "json" | "bytes" | null;
  /** Refuses what would be lost on the way. */
  guard?: (request: Request) => void;
}

export async function forwardRequest(
  namespace: WorkspaceNamespace,
  request: Request,
  { route, principal, name }: { route: ForwardedRoute; principal: Principal; name: string },
): Promise<Response> {
  route.guard?.(request);
  const context: ForwardedContext = {
    ...{ route: route.key, principal, name },
    origin: originOf(request.url),
    host: request.headers.get("Host"),
  };
  const inside = await forwarded(route, request, context);
  const object = namespace.get(namespace.idFromName(name)) as DurableObjectStub;
  const answer = await object.fetch(inside).catch((cause: unknown) => {
    console.error(cause);
    throw new HttpError("UNAVAILABLE", "the workspace could not be reached", { cause });
  });
  return answer.status >= 400 && request.body !== null ? wholeError(answer) : answer;
}

async function forwarded({ body }: ForwardedRoute, request: Request, context: ForwardedContext): Promise<Request> {
  if (request.body === null) return contextRequest(request, context, request);
  if (streams(body, request.headers)) return contextRequest(request, context, request);
  if (body === "bytes") {
    const endMarker = createEndMarker();
    const marked = withEndMarker(request.body, endMarker);
    return contextRequest(request, { ...context, endMarker }, { ...withoutLength(request), body: marked });
  }
  if (body === "json")
    return contextRequest(request, context, { ...withoutLength(request), body: await jsonBytes(request) });
  // The route takes no body.
  await drainBody(request);
  return contextRequest(request, context, withoutLength(request));
}

/** Passed on as it comes: bytes of known length, and short JSON, which the object has read before it could refuse it. */
function streams(body: ForwardedRoute["body"], headers: Headers): boolean {
  const length = headers.get("Content-Length");
  return length !== null && (body === "bytes" || (body === "json" && Number(length) <= LIMITS.shortBody));
}

function withoutLength(request: Request): { method: string; headers: Headers } {
  const headers = new Headers(request.headers);
  headers.delete("Content-Length");
  headers.delete("Transfer-Encoding");
  return { method: request.method, headers };
}

/** A body that breaks off would lose its error message. */
async function wholeError(answer: Response): Promise<Response> {
  const text = await answer.text().catch(() => "");
  if (text === "") throw new HttpError("ABORT_ERR", "the body broke off");
  return new Response(text, answer);
}
