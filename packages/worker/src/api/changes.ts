/**
 * `changes`, page by page, and `changes/live`, a WebSocket that sends `LiveMessage`s as JSON text: first the changes after `since`
 * (without `since`: only the current cursor), then every commit. A disconnected client resumes with its last cursor.
 */
import { z } from "zod";
import { countText, entryType, pathText, versionText } from "./path.ts";
import { queryOptions } from "./verb-options.ts";

export const change = z.object({
  cursor: z.string(),
  op: z.enum(["create", "write", "attr", "link", "remove", "rename"]),
  type: entryType,
  path: z.string(),
  /** With `rename`: the old path. */
  from: z.string().optional(),
  ino: z.number(),
  /** Milliseconds since 1970. */
  time: z.number(),
  /** Changes of one transaction share it. */
  group: z.number(),
  actor: z.string().optional(),
  callId: z.string().optional(),
});
export type ApiChange = z.infer<typeof change>;

export const changesQuery = z.strictObject({
  ...queryOptions("changes"),
  limit: countText(1000).optional(),
});
export const changesResponse = z.object({ changes: z.array(change), cursor: z.string(), more: z.boolean() });
export type ChangesResponse = z.infer<typeof changesResponse>;

export const liveQuery = z.strictObject({ since: versionText.optional(), path: pathText.optional() });
/** `error` is the last message before the socket closes (EGONE: read the tree again, and start without `since`). */
export type LiveMessage =
  | { changes: ApiChange[]; cursor: string }
  | { error: { code: string; message: string; hint: string } };
