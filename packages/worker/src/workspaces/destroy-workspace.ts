/** The end of a workspace. Its object ends itself when everything is deleted, so the call fails by design, in the object's own words. */
import type { Env } from "../env.ts";
import { DELETED_MESSAGE } from "../object/workspace-object.ts";
import { workspaceStub } from "../workspace-stub.ts";

export async function destroyWorkspace(env: Env, name: string): Promise<void> {
  try {
    await workspaceStub(env, name).destroy();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes(DELETED_MESSAGE))) throw error;
  }
}
