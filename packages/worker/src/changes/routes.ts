/** `changes`, page by page, and `changes/live`, whose socket ends in the workspace's own object. */
import { changesAnswer, changesQuery, liveQuery } from "../api/changes.ts";
import { type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { HttpError } from "../errors/http-error.ts";
import { apiChange } from "../live/api-change.ts";
import { feedRequest } from "../live/live-feed.ts";
import { objectOf } from "../object-of.ts";
import { workspacePath } from "../path/workspace-path.ts";

export const changeEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/api/w/:name/changes",
    summary: "What changed after a cursor; without one, from the oldest change that is kept",
    access: "read",
    query: changesQuery,
    answers: [{ schema: changesAnswer }],
    async run({ workspace: { fs }, query: { since, path, limit } }) {
      const { changes, cursor, more } = await fs.changes({ since, path: workspacePath(path), limit });
      return Response.json({ changes: changes.map(apiChange), cursor, more });
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/w/:name/changes/live",
    summary: "The changes after a cursor, or from now on, as a WebSocket",
    access: "read",
    query: liveQuery,
    answers: [{ status: 101, says: "messages are { changes, cursor } as JSON" }],
    async run({ request, env, name, visitor, query: { since, path } }) {
      if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
        throw new HttpError("UPGRADE_REQUIRED", "this is a WebSocket", { headers: { Upgrade: "websocket" } });
      const feed = feedRequest({ since, path: workspacePath(path), expiresAt: visitor.scope.expiresAt });
      const response = await objectOf(env, name).fetch(feed);
      return response.status === 101 ? response : new Response(response.body, response);
    },
  }),
];
