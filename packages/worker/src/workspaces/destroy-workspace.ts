/**
 * Deletes a workspace. Its object aborts itself once everything is deleted, so the call fails by design, with the object's own
 * message.
 */
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
