/** An object with nothing in it: tests reach its storage with `runInDurableObject` and build what they need. */
import { DurableObject } from "cloudflare:workers";

export class BareObject extends DurableObject {}
