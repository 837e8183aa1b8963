/** `wsx` as a process: the entry of `bin/wsx.mjs`. */
import { main as run } from "../src/main.ts";
import { processIo } from "./process-io.ts";

export function main(argv: readonly string[]): Promise<number> {
  return run(argv, processIo());
}
