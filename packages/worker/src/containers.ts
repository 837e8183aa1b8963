/** The same deployment with containers: `npx wrangler deploy --env containers`. Apart, because without them the class cannot be loaded. */
export { ContainerProxy, Sandbox } from "@cloudflare/workspace/sandbox";
export { default, McpSessionObject, RegistryObject, WorkspaceObject } from "./index.ts";
