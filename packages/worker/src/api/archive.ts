/** `archive`: a directory as one tar or zip, streamed both ways. An upload is unpacked whole or not at all. */
import { z } from "zod";
import { pathText } from "./path.ts";

export const archiveFormat = z.enum(["tar", "zip"]);
export type ArchiveFormat = z.infer<typeof archiveFormat>;
/** An upload with `tar` may be gzipped; `gzip=1` gzips a download. */
export const archiveQuery = z.strictObject({
  path: pathText.optional(),
  format: archiveFormat.optional(),
  gzip: z.enum(["0", "1"]).optional(),
});
export const archiveUploadQuery = z.strictObject({ path: pathText.optional(), format: archiveFormat.optional() });
export const archiveResponse = z.object({
  path: z.string(),
  files: z.number(),
  directories: z.number(),
  symlinks: z.number(),
  bytes: z.number(),
});
export type ArchiveResponse = z.infer<typeof archiveResponse>;
