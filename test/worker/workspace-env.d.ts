/** The objects with a workspace in them among the bindings of the test Worker, and its exports. */
declare namespace Cloudflare {
  interface Env {
    GUEST: DurableObjectNamespace<import("./guest-object.ts").GuestObject>;
    HTTP_WORKSPACE: DurableObjectNamespace<import("@workspace/worker/objects").HttpWorkspaceObject>;
    MCP_SESSION: DurableObjectNamespace<import("@workspace/worker/objects").McpSessionObject>;
    REGISTRY: DurableObjectNamespace<import("@workspace/worker/objects").RegistryObject>;
    METERED: DurableObjectNamespace<import("./metered-object.ts").MeteredObject>;
    WORKSPACE: DurableObjectNamespace<import("@cloudflare/workspace").WorkspaceObject>;
  }
  interface GlobalProps {
    mainModule: typeof import("./index.ts");
  }
}
