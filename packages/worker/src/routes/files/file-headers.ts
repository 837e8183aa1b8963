/**
 * The headers of a file's bytes. The bytes are hostile: a browser must neither sniff their type nor run them on this origin, so
 * everything but plain text is an attachment, and all of it is sandboxed. `no-transform` keeps intermediate caches from compressing
 * the body, which would weaken the strong ETag and break If-Match.
 */
import type { FileStat } from "@cloudflare/workspace";
import { contentDisposition } from "../../http/content-disposition.ts";
import { contentTypeOf, isPlainText } from "../../http/content-type.ts";
import { entityTag } from "../../http/entity-tag.ts";

export function fileHeaders(name: string, stat: FileStat): Headers {
  const type = contentTypeOf(name);
  return new Headers({
    "Content-Type": type,
    "Content-Disposition": contentDisposition(isPlainText(type) ? "inline" : "attachment", name),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Accept-Ranges": "bytes",
    ...validators(stat),
  });
}

/** The headers that a 304 repeats. */
export function validators(stat: FileStat): Record<string, string> {
  return {
    ETag: entityTag(stat.version),
    "Last-Modified": new Date(stat.mtimeMs).toUTCString(),
    "Cache-Control": "private, no-cache, no-transform",
  };
}
