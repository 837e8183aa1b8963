/** `@workspace/worker/objects`: the Durable Object classes of the deployment, without the Worker in front of them. */
export { McpSessionObject } from "../mcp/session-object.ts";
export { RegistryObject } from "../registry/registry-object.ts";
export { HttpWorkspaceObject } from "./workspace-object.ts";
