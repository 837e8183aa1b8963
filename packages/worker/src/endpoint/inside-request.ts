/**
 * How a request goes on to the workspace's own object when its endpoint runs there: one hop, with the body streaming through outside of
 * JavaScript. The URL keeps its path and query under a hostname that no request from outside can have (previews keep theirs, and the
 * rest never reaches an object), so what the header says was said by the Worker.
 */
import type { WorkspaceNamespace } from "@cloudflare/workspace";
import type { Visitor } from "../auth/visitor.ts";
import { HttpError } from "../errors/http-error.ts";
import type { Endpoint } from "./endpoint.ts";

export interface Asked {
  /** As `routeOf` calls it. */
  route: string;
  visitor: Visitor;
  /** Of the workspace. */
  name: string;
}

const ORIGIN = "https://inside.invalid";
const HEADER = "X-Workspace-Inside";

export function routeOf({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

/**
 * A body whose length nobody has said stays out: when it breaks off on its way to an object, what was sent of it looks like all of it.
 * (Over RPC it does not.) Where the length is known, the endpoint finds out. JSON stays out too: it is read and refused here, where
 * a refusal before the end of a long body is still heard.
 */
export function goesInside({ inside, body: taken }: Endpoint, { body, headers }: Request): boolean {
  return inside !== undefined && (body === null || (taken === "bytes" && headers.has("Content-Length")));
}

export async function askInside(namespace: WorkspaceNamespace, request: Request, asked: Asked): Promise<Response> {
  const inside = new Request(`${ORIGIN}${request.url.slice(pathStart(request.url))}`, request);
  inside.headers.set(HEADER, encodeURIComponent(JSON.stringify(asked)));
  const object = namespace.get(namespace.idFromName(asked.name)) as DurableObjectStub;
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

/** What `askInside` asks; null: it is another's request. */
export function readInside(request: Request): Asked | null {
  if (!request.url.startsWith(`${ORIGIN}/`)) return null;
  return JSON.parse(decodeURIComponent(request.headers.get(HEADER) ?? "")) as Asked;
}

function pathStart(url: string): number {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start === -1 ? url.length : start;
}
