export { WorkspaceObject } from "@cloudflare/workspace";
