/** The deployable: the HTTP app, and the Durable Object class it keeps workspaces in. Composition only. */
import { createApp } from "./app.ts";

export { WorkspaceObject } from "@cloudflare/workspace";

export default createApp();
