/** `changes`, page by page, and `changes/live`, whose socket ends in the workspace's object. */
import { changesQuery, changesResponse, liveQuery } from "../api/changes.ts";
import { HttpError } from "../errors/http-error.ts";
import { workspacePath } from "../http/workspace-path.ts";
import { apiChange } from "./api-change.ts";
import { defineRoute, type Route } from "./route.ts";

export const changeRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/w/:name/changes",
    summary: "What changed after a cursor; without one, from the oldest change that is kept",
    access: "read",
    kind: "changes",
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
    kind: "watch",
    query: liveQuery,
    answers: [{ status: 101, description: "messages are { changes, cursor } as JSON" }],
    async run({ request, object, principal, query: { since, path } }) {
      if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket")
        throw new HttpError("UPGRADE_REQUIRED", "this is a WebSocket", { headers: { Upgrade: "websocket" } });
      const { rateLimitKey: holder, scope } = principal;
      return object.live.accept({ since, path: workspacePath(path), holder, expiresAt: scope.expiresAt });
    },
  }),
];
