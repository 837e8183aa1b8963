/**
 * Deletes a workspace. Its object aborts itself once everything is deleted, so the call fails by design, with the object's own
 * message.
 */
import type { Env } from "../env.ts";
import { workspaceStub } from "../workspace-stub.ts";

/** The message with which the object ends itself. */
export const DELETED_MESSAGE = "this workspace was deleted";

export async function destroyWorkspace(env: Env, name: string): Promise<void> {
  try {
    await workspaceStub(env, name).destroy();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes(DELETED_MESSAGE))) throw error;
  }
}
