/** Lists, creates and deletes workspaces. */

import { createBody, deleteQuery, workspace, workspacesQuery, workspacesResponse } from "../api/workspaces.ts";
import { callDeploymentVerb, DELETED_MESSAGE } from "../deployment-verbs.ts";
import type { Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { registryStub } from "../registry/registry-stub.ts";
import { createWorkspace } from "./create-workspace.ts";
import { defineRoute, type Route } from "./route.ts";

export const workspaceRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/workspaces",
    summary: "The workspaces that were made here, in order of names",
    access: "authenticated",
    query: workspacesQuery,
    answers: [{ schema: workspacesResponse }],
    async run({ env, principal: { scope }, query: { cursor = "", limit = LIMITS.listPage } }) {
      // A token for one workspace must not learn of others.
      const registry = registryStub(env);
      const one = scope.workspace === undefined ? null : await registry.get(scope.workspace);
      const own = one !== null && one.name > cursor ? [one] : [];
      const found = scope.workspace === undefined ? await registry.list(cursor, limit + 1) : own;
      const workspaces = found.slice(0, limit);
      const last = workspaces.at(-1)?.name;
      return Response.json({ workspaces, ...(found.length > limit && last !== undefined ? { cursor: last } : {}) });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/workspaces",
    summary: "A new workspace: empty, or a clone of a git repository",
    access: "admin",
    body: createBody,
    answers: [{ status: 201, schema: workspace }],
    async run({ env, principal, body }) {
      return Response.json(await createWorkspace(env, principal.actor, body), { status: 201 });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/api/w/:name",
    summary: "Deletes a workspace with everything in it; there is no way back",
    access: "admin",
    query: deleteQuery,
    answers: [{ status: 204, description: "deleted" }],
    async run({ env, name, query: { confirm } }) {
      if (confirm !== name) throw new HttpError("EINVAL", "confirm must be the workspace's name");
      const registry = registryStub(env);
      const hint = "GET /api/workspaces lists them.";
      if ((await registry.get(name)) === null)
        throw new HttpError("ENOENT", `there is no workspace "${name}"`, { hint });
      await deleteWorkspace(env, name);
      await registry.remove(name);
      return new Response(null, { status: 204 });
    },
  }),
];

/** The object aborts itself once everything is deleted, so the call fails by design, with the object's own message. */
async function deleteWorkspace(env: Env, name: string): Promise<void> {
  try {
    await callDeploymentVerb(env, name, "deleteWorkspace");
  } catch (error) {
    if (!(error instanceof Error && error.message.includes(DELETED_MESSAGE))) throw error;
  }
}
