/** Writes and reads one file, on `@cloudflare/workspace`. */
import { Workspace } from "@cloudflare/workspace";
import { objectOf, worker } from "./worker.ts";

export class Box extends objectOf(Workspace) {}
export default worker;
