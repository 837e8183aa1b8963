/**
 * The reference Worker whose workspaces run their commands in a `workspaced` of this machine, a plain process without Docker: what a
 * container adds to the studio, previews above all, is then real. One daemon is one workspace's.
 */
import type { Workspace, WorkspaceOptions } from "@cloudflare/workspace";
import { HttpWorkspaceObject } from "@workspace/worker/objects";

export { default } from "@workspace/worker";
export { RegistryObject } from "@workspace/worker/objects";

interface Env {
  /** Of the daemon: host and port. */
  SANDBOX_ADDRESS: string;
  SANDBOX_SECRET: string;
}

export class WorkspaceObject extends HttpWorkspaceObject<Env> {
  protected override createWorkspace(options: WorkspaceOptions): Workspace {
    const at = (url: string) => url.replace("http://sandbox", () => `http://${this.env.SANDBOX_ADDRESS}`);
    return super.createWorkspace({
      ...options,
      sandbox: { fetch: (requested) => fetch(new Request(at(requested.url), requested)) },
      sandboxSettings: { ...options.sandboxSettings, secret: this.env.SANDBOX_SECRET },
    });
  }
}
