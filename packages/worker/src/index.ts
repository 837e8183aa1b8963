/** The deployable: the HTTP app, and the Durable Object classes it keeps things in. Composition only. */
import { createApp } from "./app.ts";

export { HttpWorkspaceObject as WorkspaceObject, McpSessionObject, RegistryObject } from "./object/index.ts";

export default createApp();
