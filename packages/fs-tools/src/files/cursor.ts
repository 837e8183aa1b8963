/** Where a page ended, as the caller gives it back: what no answer can have given is refused, since a walk goes on from it. */

import { isInside } from "@workspace/glob";
import { ToolError } from "../errors.ts";
import { normalizePath } from "./path-resolver.ts";

/** A path below the directory that is listed: names alone, so that it leads nowhere else. */
export function cursorBelow(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && (cursor === "" || normalizePath(`/${cursor}`) !== `/${cursor}`)) throw foreign();
  return cursor;
}

/** A whole path, inside the root. */
export function cursorInside(cursor: string | undefined, root: string): string | undefined {
  if (cursor !== undefined && (normalizePath(cursor) !== cursor || !isInside(cursor, root))) throw foreign();
  return cursor;
}

function foreign(): ToolError {
  const reason = "cursor is not one of an earlier answer of this tool. Leave it out to start from the beginning.";
  return new ToolError("INVALID_INPUT", reason, { field: "cursor" });
}
