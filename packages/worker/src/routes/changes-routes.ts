/** `changes`, page by page, and `changes/live`, whose socket ends in the workspace's object. */
import { changesQuery, changesResponse, liveQuery } from "../api/changes.ts";
import { HttpError } from "../errors/http-error.ts";
import { workspacePath } from "../http/workspace-path.ts";
import { apiChange } from "../live/api-change.ts";
import { feedRequest } from "../live/live-feed.ts";
import { workspaceStub } from "../workspace-stub.ts";
import { defineRoute, type Route } from "./route.ts";

export const changeEndpoints: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/w/:name/changes",
    summary: "What changed after a cursor; without one, from the oldest change that is kept",
    access: "read",
    query: changesQuery,
    answers: [{ schema: changesResponse }],
    async run({ workspace: { fs }, query: { since, path, limit } }) {
      const { changes, cursor, more } = await fs.changes({ since, path: workspacePath(path), limit });
      return Response.json({ changes: changes.map(apiChange), cursor, more });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/w/:name/changes/live",
    summary: "The changes after a cursor, or from now on, as a WebSocket",
    access: "read",
    query: liveQuery,
    answers: [{ status: 101, description: "messages are { changes, cursor } as JSON" }],
    async run({ request, env, name, principal, query: { since, path } }) {
      if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
        throw new HttpError("UPGRADE_REQUIRED", "this is a WebSocket", { headers: { Upgrade: "websocket" } });
      const feed = feedRequest({
        since,
        path: workspacePath(path),
        holder: principal.rateLimitKey,
        expiresAt: principal.scope.expiresAt,
      });
      const response = await workspaceStub(env, name).fetch(feed);
      return response.status === 101 ? response : new Response(response.body, response);
    },
  }),
];
