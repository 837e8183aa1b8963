/** Entry of the Worker that tests run in. */

export { WorkspaceObject } from "@cloudflare/workspace";
export { HttpWorkspaceObject, RegistryObject } from "@workspace/worker/objects";
export { Agent } from "../../../examples/agent/agent.ts";
export { ServingAgent } from "../../../examples/binding/own-object.ts";
export { MaintainedAgent } from "../../../examples/maintenance.ts";
export { NotesAgent } from "../../../examples/package-workspace.ts";
export { AbandoningClient } from "./abandoning-client.ts";
export { BareObject } from "./bare-object.ts";
export { HostingObject } from "./hosting-object.ts";
export { SlowObject } from "./slow-object.ts";

export default { fetch: () => new Response("test worker") };
