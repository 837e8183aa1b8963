/** The objects with a workspace in them among the bindings of the test Worker, and its exports. */
declare namespace Cloudflare {
  interface Env {
    GUEST: DurableObjectNamespace<import("./hosting-object.ts").HostingObject>;
    HTTP_WORKSPACE: DurableObjectNamespace<import("@workspace/worker/objects").HttpWorkspaceObject>;
    REGISTRY: DurableObjectNamespace<import("@workspace/worker/objects").RegistryObject>;
    METERED: DurableObjectNamespace<import("./slow-object.ts").SlowObject>;
    WORKSPACE: DurableObjectNamespace<import("@cloudflare/workspace").WorkspaceObject>;
  }
  interface GlobalProps {
    mainModule: typeof import("./index.ts");
  }
}
