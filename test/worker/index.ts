/** Entry of the Worker that tests run in. */
export { BareObject } from "./bare-object.ts";

export default { fetch: () => new Response("test worker") };
