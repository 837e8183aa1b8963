/** `@workspace/worker/objects`: the deployment's Durable Object classes, without the Worker. */
export { RegistryObject } from "../registry/registry-object.ts";
export { HttpWorkspaceObject } from "./workspace-object.ts";
