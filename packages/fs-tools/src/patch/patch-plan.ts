/** What a patch does to files, whatever dialect it is written in: worked out completely before anything is written. */
import { ToolError } from "../errors.ts";

export interface PatchedFile {
  /** Where the result goes; for a deletion, what goes. */
  path: string;
  op: "add" | "update" | "delete" | "move" | "copy";
  /** With `move` and `copy`: where it comes from. */
  from?: string;
  /** Null for a deletion. */
  bytes: Uint8Array | null;
  mode?: number;
  added: number;
  removed: number;
}

/** The present content of a path, null where there is none. Paths are as written in the patch. */
export type ReadForPatch = (path: string) => Promise<{ bytes: Uint8Array; mode: number } | null>;

/** Before any of them is read. */
export function checkFileCount(count: number, maxFiles: number): void {
  if (count > maxFiles) throw new ToolError("TOO_LARGE", `A patch changes at most ${maxFiles} files.`);
}
