/**
 * The verbs of this deployment, beside those of `getWorkspace` and by the same method, `workspaceRpc`. Objects have no public address:
 * the Worker alone calls them.
 */
import type { WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import type { Env } from "./env.ts";

export interface DeploymentVerbs {
  /** True the first time; remembered until the link has expired, in seconds since 1970. */
  consumePreviewLink(id: string, expires: number): Promise<boolean>;
  /** Deletes all data and ends this incarnation, so that no cached state is written again. Rejects with DELETED_MESSAGE. */
  deleteWorkspace(): Promise<void>;
}

/** The message with which the object ends itself. */
export const DELETED_MESSAGE = "this workspace was deleted";

export async function callDeploymentVerb<Verb extends keyof DeploymentVerbs>(
  { WORKSPACE }: Pick<Env, "WORKSPACE">,
  name: string,
  verb: Verb,
  ...args: Parameters<DeploymentVerbs[Verb]>
): Promise<Awaited<ReturnType<DeploymentVerbs[Verb]>>> {
  const object = WORKSPACE.get(WORKSPACE.idFromName(name)) as {
    workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply>;
  };
  const reply = await object.workspaceRpc({ verb, args });
  if ("error" in reply) throw new Error(reply.error.message);
  return reply.value as Awaited<ReturnType<DeploymentVerbs[Verb]>>;
}
