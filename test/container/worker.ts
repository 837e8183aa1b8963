/** The Worker of the container tests: the product's classes as a deployment exports them, and one with hosts it may reach. */
import { WorkspaceObject } from "@cloudflare/workspace";
import { Sandbox } from "@cloudflare/workspace/sandbox";

export { WorkspaceObject } from "@cloudflare/workspace";
export { ContainerProxy, Sandbox } from "@cloudflare/workspace/sandbox";

export class AllowingSandbox extends Sandbox {
  static override readonly network = { allow: ["allowed.example"] };
}

export class AllowingWorkspace extends WorkspaceObject<{ ALLOWING: DurableObjectNamespace }> {
  protected override createWorkspace(
    options: ConstructorParameters<typeof import("@cloudflare/workspace").Workspace>[0],
  ) {
    return super.createWorkspace({ ...options, sandbox: this.env.ALLOWING.getByName("allowing") });
  }
}

export default { fetch: () => new Response("container tests") };
