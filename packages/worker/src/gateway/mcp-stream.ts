/**
 * `/mcp/:name` in the Worker: forwards to the workspace's object. The stream of a session is a socket of the object and SSE for the
 * client: an SSE response of the object would keep it awake, and under a socket it hibernates. The id of an event is the log's
 * cursor: a disconnected client resumes after it without a gap.
 */
import type { Hono } from "hono";
import type { Principal } from "../auth/principal.ts";
import type { AppEnv } from "../env.ts";
import { atExpiry } from "../http/expiry.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment, workspaceName } from "../http/workspace-path.ts";
import { EventStream } from "../mcp/event-stream.ts";
import { resourceUri } from "../mcp/resource-uri.ts";
import type { SessionUpdate } from "../object/live-feed.ts";
import { authorize } from "../routes/authorize.ts";
import { MCP_PATH } from "../routes/forwarded-context.ts";
import { forwardRequest } from "./forward-request.ts";

/** The segments before the name: "", "mcp". */
const NAME_SEGMENT = 2;

export function mountMcp(app: Hono<AppEnv>): void {
  app.all(MCP_PATH, async (c) => {
    const name = workspaceName(decodeSegment(rawPath(c.req.url).split("/")[NAME_SEGMENT] ?? ""));
    const principal = c.get("principal");
    // Tools check the scope again: a read-only token gets only those that change nothing.
    authorize(principal, "read", name);
    const { raw: request } = c.req;
    const forward = (one: Request) =>
      forwardRequest(c.env.WORKSPACE, one, {
        route: { key: MCP_PATH, body: one.method === "POST" ? "json" : null },
        principal,
        name,
      });
    if (request.method !== "GET") {
      const response = await forward(request);
      c.set("complete", true);
      return response;
    }
    const headers = new Headers(request.headers);
    headers.set("Upgrade", "websocket");
    const response = await forward(new Request(request, { headers }));
    if (response.webSocket !== null) return sseOf(response.webSocket, name, principal);
    c.set("complete", true);
    return response;
  });
}

function sseOf(socket: WebSocket, name: string, { scope }: Principal): Response {
  const stream = new EventStream(() => {
    cancelExpiry();
    try {
      socket.close(1000);
    } catch {
      // Already closed.
    }
  });
  const cancelExpiry = atExpiry(scope.expiresAt, () => stream.end());
  socket.addEventListener("message", ({ data }) => {
    const update = JSON.parse(String(data)) as SessionUpdate;
    // The feed ends after an error; the client reconnects with its last id.
    if ("error" in update) return;
    for (const path of update.updated) {
      const params = { uri: resourceUri(name, path) };
      stream.send({ jsonrpc: "2.0", method: "notifications/resources/updated", params }, update.cursor);
    }
  });
  socket.addEventListener("close", () => stream.end());
  socket.accept();
  return stream.response();
}
