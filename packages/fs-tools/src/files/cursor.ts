/** Validates page cursors: a walk resumes from one, so a cursor that no response can contain is refused. */

import { isInside } from "@workspace/glob";
import { ToolError } from "../errors.ts";
import { normalizePath } from "../paths/path-resolver.ts";

/** A path below the listed directory: names only, so that it cannot lead elsewhere. */
export function cursorBelow(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && (cursor === "" || normalizePath(`/${cursor}`) !== `/${cursor}`)) throw foreign();
  return cursor;
}

/** An absolute path inside the root. */
export function cursorInside(cursor: string | undefined, root: string): string | undefined {
  if (cursor !== undefined && (normalizePath(cursor) !== cursor || !isInside(cursor, root))) throw foreign();
  return cursor;
}

function foreign(): ToolError {
  const reason = "cursor is not one of an earlier answer of this tool. Leave it out to start from the beginning.";
  return new ToolError("INVALID_INPUT", reason, { field: "cursor" });
}
