import { DurableObject } from "cloudflare:workers";
import { serveWorkspace, Workspace, type WorkspaceCall } from "@cloudflare/workspace";

/** `getWorkspace(env.AGENTS, "name")` works with an object of your own that has this method. */
export class ServingAgent extends DurableObject {
  workspace = new Workspace({ storage: this.ctx.storage });

  workspaceRpc(call: WorkspaceCall) {
    return serveWorkspace(this.workspace, call);
  }
}
