/** The object of a workspace, for methods that are not in `getWorkspace`. */
import type { Env } from "./env.ts";
import type { HttpWorkspaceObject } from "./object/workspace-object.ts";

export function workspaceStub({ WORKSPACE }: Env, name: string): DurableObjectStub<HttpWorkspaceObject> {
  return WORKSPACE.get(WORKSPACE.idFromName(name)) as DurableObjectStub<HttpWorkspaceObject>;
}
