/** `snapshots`: moments with a name, and the way back to one. */
import type { Snapshot } from "@workspace/vfs";
import { restoreBody, snapshotBody } from "../api/history.ts";
import { revertedAnswer, snapshotAnswer, snapshotsAnswer } from "../api/history-answers.ts";
import { type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { workspacePath } from "../path/workspace-path.ts";

const base = "/api/w/:name/snapshots";

export const snapshotEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: base,
    summary: "The snapshots, newest first",
    access: "read",
    answers: [{ schema: snapshotsAnswer }],
    run: async ({ workspace: { snapshots } }) => Response.json({ snapshots: (await snapshots.list()).map(shown) }),
  }),
  endpoint({
    method: "POST",
    path: base,
    summary: "Gives the present moment a name; nothing is copied",
    access: "write",
    body: snapshotBody,
    answers: [{ status: 201, schema: snapshotAnswer }],
    run: async ({ workspace: { snapshots }, body: { name, pinned } }) =>
      Response.json(shown(await snapshots.create(name, pinned === undefined ? {} : { pinned })), { status: 201 }),
  }),
  endpoint({
    method: "DELETE",
    path: `${base}/:id`,
    summary: "Forgets a snapshot; what it stood for stays in the history as long as that is kept",
    access: "write",
    answers: [{ status: 204, says: "forgotten" }],
    async run(call) {
      await call.workspace.snapshots.remove(call.param("id"));
      return new Response(null, { status: 204 });
    },
  }),
  endpoint({
    method: "POST",
    path: `${base}/:id/restore`,
    summary: "Makes the tree, or some paths of it, what it was; all or nothing, and it can be undone",
    access: "write",
    body: restoreBody,
    answers: [{ schema: revertedAnswer }],
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
