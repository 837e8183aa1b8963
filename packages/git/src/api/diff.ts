/** `git.diff()`: which files differ and by how much, and the patch. */
import { diff as compareFiles, type DiffRequest, type DiffResult } from "../porcelain/diff/diff.ts";
import type { Call, CallOptions } from "./call.ts";

export interface DiffOptions extends CallOptions, DiffRequest {}

export async function diff(call: Call, options: DiffOptions = {}): Promise<DiffResult> {
  return compareFiles(await call.repository(options.paths), options);
}
