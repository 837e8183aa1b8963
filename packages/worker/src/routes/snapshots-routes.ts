/** The routes of `snapshots`: named points in history, and restoring one. */
import type { Snapshot } from "@workspace/vfs";
import { restoreBody, snapshotBody } from "../api/history.ts";
import { revertedResponse, snapshotResponse, snapshotsResponse } from "../api/history-responses.ts";
import { workspacePath } from "../http/workspace-path.ts";
import { defineRoute, type Route } from "./route.ts";

const base = "/api/w/:name/snapshots";

export const snapshotRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: base,
    summary: "The snapshots, newest first",
    access: "read",
    kind: "snapshotList",
    answers: [{ schema: snapshotsResponse }],
    run: async ({ workspace: { snapshots } }) => Response.json({ snapshots: (await snapshots.list()).map(shown) }),
  }),
  defineRoute({
    method: "POST",
    path: base,
    summary: "Gives the present moment a name; nothing is copied",
    access: "write",
    kind: "snapshotCreate",
    body: snapshotBody,
    answers: [{ status: 201, schema: snapshotResponse }],
    run: async ({ workspace: { snapshots }, body: { name, pinned } }) =>
      Response.json(shown(await snapshots.create(name, pinned === undefined ? {} : { pinned })), { status: 201 }),
  }),
  defineRoute({
    method: "DELETE",
    path: `${base}/:id`,
    summary: "Forgets a snapshot; what it stood for stays in the history as long as that is kept",
    access: "write",
    kind: "snapshotRemove",
    answers: [{ status: 204, description: "forgotten" }],
    async run(call) {
      await call.workspace.snapshots.remove(call.param("id"));
      return new Response(null, { status: 204 });
    },
  }),
  defineRoute({
    method: "POST",
    path: `${base}/:id/restore`,
    summary: "Makes the tree, or some paths of it, what it was; all or nothing, and it can be undone",
    access: "write",
    kind: "snapshotRestore",
    body: restoreBody,
    answers: [{ schema: revertedResponse }],
    async run(call) {
      const { paths, dryRun } = call.body;
      const options = {
        ...(paths && { paths: paths.map(workspacePath) }),
        ...(dryRun === undefined ? {} : { dryRun }),
      };
      return Response.json(await call.workspace.snapshots.restore(call.param("id"), options));
    },
  }),
];

function shown({ timeMs, ...snapshot }: Snapshot): Omit<Snapshot, "timeMs"> & { time: number } {
  return { ...snapshot, time: timeMs };
}
