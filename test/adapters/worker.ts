/** Entry of the Worker that the adapters are tested in. */

export { WorkspaceObject } from "@cloudflare/workspace";
export { BareObject } from "@workspace/testing/bare-object";
export { ScriptedCoder } from "./scripted-coder.ts";

export default { fetch: () => new Response("adapters test worker") };
