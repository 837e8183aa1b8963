/** `appendFile`: appends the bytes in one transaction; a small file's row grows in place. */

import type { Content, TextEncodingName, WriteFileOptions, WriteResult } from "../api/file-system.ts";
import type { FsContext } from "../volume/context.ts";
import { writeFile } from "./write-file.ts";

export function appendFile(
  ctx: FsContext,
  path: string,
  content: Content,
  options: WriteFileOptions | TextEncodingName = {},
): Promise<WriteResult> {
  return writeFile(ctx, path, content, options, "a");
}
