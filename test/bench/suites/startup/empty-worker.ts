/** An object that does nothing: what the runtime itself needs. */
import { DurableObject } from "cloudflare:workers";
import { worker } from "./worker.ts";

export class Box extends DurableObject {
  override fetch(): Response {
    return new Response("a");
  }
}
export default worker;
