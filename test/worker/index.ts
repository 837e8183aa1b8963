/** Entry of the Worker that tests run in. */

export { WorkspaceObject } from "@cloudflare/workspace";
export { HttpWorkspaceObject, McpSessionObject, RegistryObject } from "@workspace/worker/objects";
export { Agent } from "../../examples/agent/agent.ts";
export { ServingAgent } from "../../examples/binding/own-object.ts";
export { MaintainedAgent } from "../../examples/maintenance.ts";
export { NotesAgent } from "../../examples/package-workspace.ts";
export { BareObject } from "./bare-object.ts";
export { CarelessClient } from "./careless-client.ts";
export { GuestObject } from "./guest-object.ts";
export { MeteredObject } from "./metered-object.ts";

export default { fetch: () => new Response("test worker") };
