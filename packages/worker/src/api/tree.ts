/** `tree`, `stat`, `mkdir`, `rename`: entries and their metadata. Contents are at `files/*path`. */
import { z } from "zod";
import { countText, entryType, pathText } from "./path.ts";
import { bodyOptions } from "./verb-options.ts";

export const entry = z.object({
  path: z.string(),
  name: z.string(),
  type: entryType,
  size: z.number(),
  /** Milliseconds since 1970. */
  mtime: z.number(),
  /** A file's ETag without its quotes. */
  version: z.string(),
  /** With the type bits, as in Node. */
  mode: z.number(),
});
export type Entry = z.infer<typeof entry>;

/** Depth first, each directory before its entries, siblings in byte order of names. Links are listed, not followed. */
export const treeQuery = z.strictObject({
  path: pathText.optional(),
  /** Levels below `path`; default 1. */
  depth: countText(1000).optional(),
  cursor: z.string().min(1).max(12_000).optional(),
  limit: countText(1000).optional(),
});
export const treeResponse = z.object({
  entries: z.array(entry),
  /** Pass it as `cursor` for the next page; absent on the last page. */
  cursor: z.string().optional(),
});
export type TreeResponse = z.infer<typeof treeResponse>;

export const statQuery = z.strictObject({ path: pathText.optional() });
/** The stat of the entry itself, even if it is a link. */
export const statResponse = entry.extend({
  contentVersion: z.string(),
  ctime: z.number(),
  birthtime: z.number(),
  nlink: z.number(),
  ino: z.number(),
  /** Of a link: its target as stored. */
  target: z.string().optional(),
});
export type StatAnswer = z.infer<typeof statResponse>;

export const mkdirBody = z.strictObject({ path: pathText });
export type MkdirBody = z.infer<typeof mkdirBody>;
export const mkdirResponse = z.object({ path: z.string(), created: z.boolean() });
export type MkdirResponse = z.infer<typeof mkdirResponse>;

export const renameBody = z.strictObject({
  from: pathText,
  to: pathText,
  ...bodyOptions("rename"),
});
export type RenameBody = z.infer<typeof renameBody>;
export const renameResponse = z.object({ from: z.string(), to: z.string() });
export type RenameResponse = z.infer<typeof renameResponse>;
