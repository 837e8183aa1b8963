/** The deployable: the HTTP app and its Durable Object classes. Composition only. */
import { createApp } from "./gateway/app.ts";

export { HttpWorkspaceObject as WorkspaceObject, RegistryObject } from "./object/index.ts";

export default createApp();
