/**
 * The deployment with containers: `npx wrangler deploy --env containers`. A separate entry, because the class cannot load without
 * them.
 */
export { ContainerProxy, Sandbox } from "@cloudflare/workspace/sandbox";
export { default, RegistryObject, WorkspaceObject } from "./index.ts";
