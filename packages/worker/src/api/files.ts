/** `files/*path`: its query parameters. Everything else is in HTTP's own headers. */
import { z } from "zod";
import { countText } from "./path.ts";

/** The query for a directory: selects a page of its listing. */
export const filesQuery = z.strictObject({
  cursor: z.string().min(1).max(344).optional(),
  limit: countText(1000).optional(),
});
export type FilesQuery = z.output<typeof filesQuery>;
export const filesPutQuery = z.strictObject({ type: z.enum(["file", "directory"]).optional() });
export const filesDeleteQuery = z.strictObject({ recursive: z.enum(["", "0", "1", "false", "true"]).optional() });
