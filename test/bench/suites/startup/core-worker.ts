/** Writes and reads one file, on `@cloudflare/workspace/core`. */
import { Workspace } from "@cloudflare/workspace/core";
import { objectOf, worker } from "./worker.ts";

export class Box extends objectOf(Workspace) {}
export default worker;
