/** Workspaces as a whole: which there are, a new one, the end of one. */
import { createBody, deleteQuery, workspace, workspacesAnswer, workspacesQuery } from "../api/workspaces.ts";
import { type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { registryOf } from "../registry/registry-of.ts";
import { createWorkspace } from "./create-workspace.ts";
import { destroyWorkspace } from "./destroy-workspace.ts";

export const workspaceEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/api/workspaces",
    summary: "The workspaces that were made here, in order of names",
    access: "any",
    query: workspacesQuery,
    answers: [{ schema: workspacesAnswer }],
    async run({ env, visitor: { scope }, query: { cursor = "", limit = LIMITS.listPage } }) {
      // Who may see one workspace learns of no other.
      const registry = registryOf(env);
      const one = scope.workspace === undefined ? null : await registry.get(scope.workspace);
      const own = one !== null && one.name > cursor ? [one] : [];
      const found = scope.workspace === undefined ? await registry.list(cursor, limit + 1) : own;
      const workspaces = found.slice(0, limit);
      const last = workspaces.at(-1)?.name;
      return Response.json({ workspaces, ...(found.length > limit && last !== undefined ? { cursor: last } : {}) });
    },
  }),
  endpoint({
    method: "POST",
    path: "/api/workspaces",
    summary: "A new workspace: empty, or a clone of a git repository",
    access: "admin",
    body: createBody,
    answers: [{ status: 201, schema: workspace }],
    async run({ env, visitor, body }) {
      return Response.json(await createWorkspace(env, visitor.actor, body), { status: 201 });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/api/w/:name",
    summary: "Deletes a workspace with everything in it; there is no way back",
    access: "admin",
    query: deleteQuery,
    answers: [{ status: 204, says: "deleted" }],
    async run({ env, name, query: { confirm } }) {
      if (confirm !== name) throw new HttpError("EINVAL", "confirm must be the workspace's name");
      const registry = registryOf(env);
      const hint = "GET /api/workspaces lists them.";
      if ((await registry.get(name)) === null)
        throw new HttpError("ENOENT", `there is no workspace "${name}"`, { hint });
      await destroyWorkspace(env, name);
      await registry.remove(name);
      return new Response(null, { status: 204 });
    },
  }),
];
