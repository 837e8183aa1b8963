/** Runs a test body with a fresh workspace, once inside its own object and once over a binding: an adapter must not see the difference. */
import { env } from "cloudflare:workers";
import { getWorkspace, Workspace, type WorkspaceClient } from "@cloudflare/workspace";
import { inObject } from "@workspace/testing/in-object";

export type AnyWorkspace = Workspace | WorkspaceClient;
export const PLACES = ["inside its object", "over a binding"] as const;

export async function withWorkspace<T>(
  place: (typeof PLACES)[number],
  body: (workspace: AnyWorkspace) => Promise<T>,
): Promise<T> {
  if (place === "inside its object") return inWorkspace(body);
  using workspace = getWorkspace(env.WORKSPACE, crypto.randomUUID());
  return await body(workspace);
}

export function inWorkspace<T>(body: (workspace: Workspace) => Promise<T>): Promise<T> {
  return inObject(({ storage }) => body(new Workspace({ storage })));
}
