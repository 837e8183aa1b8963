/** The end of a workspace. Its object ends itself when everything is deleted, so the call fails by design, in the object's own words. */
import type { Env } from "../env.ts";
import { DESTROYED } from "../object/http-workspace-object.ts";
import { objectOf } from "../object-of.ts";

export async function destroyWorkspace(env: Env, name: string): Promise<void> {
  try {
    await objectOf(env, name).destroy();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes(DESTROYED))) throw error;
  }
}
