/** The effect of a patch on files, independent of its dialect: computed completely before anything is written. */
import { ToolError } from "../../errors.ts";

export interface PatchedFile {
  /** The path of the result; for a deletion, the deleted path. */
  path: string;
  op: "add" | "update" | "delete" | "move" | "copy";
  /** With `move` and `copy`: the source. */
  from?: string;
  /** Null for a deletion. */
  bytes: Uint8Array | null;
  mode?: number;
  added: number;
  removed: number;
}

/** The current content of a path, null if missing. Paths are as written in the patch. */
export type ReadForPatch = (path: string) => Promise<{ bytes: Uint8Array; mode: number } | null>;

/** Checked before any file is read. */
export function checkFileCount(count: number, maxFiles: number): void {
  if (count > maxFiles) throw new ToolError("TOO_LARGE", `A patch changes at most ${maxFiles} files.`);
}
