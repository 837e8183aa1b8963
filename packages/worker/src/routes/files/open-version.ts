/**
 * Reads a file's bytes of one known version, inside the object. A small file is read at once, which is atomic; a larger one is a
 * stream opened between two checks of the version.
 */
import { type FileSystem, FsError } from "@cloudflare/workspace";
import type { Span } from "../../http/range.ts";
import { LIMITS } from "../../limits.ts";
import type { ResolvedPath } from "./resolve-path.ts";

/** The bytes of exactly the version that `found` shows. */
export async function openVersion(
  fs: FileSystem,
  found: ResolvedPath,
  span?: Span,
): Promise<ReadableStream<Uint8Array> | Uint8Array | "changed"> {
  try {
    return found.stat.size <= LIMITS.wholeFile ? await whole(fs, found, span) : await streamed(fs, found, span);
  } catch (error) {
    if (error instanceof FsError) return "changed";
    throw error;
  }
}

async function whole(fs: FileSystem, { path, stat }: ResolvedPath, span?: Span): Promise<Uint8Array | "changed"> {
  const { content, version } = await fs.read(path);
  if (version !== stat.version) return "changed";
  return span === undefined ? content : content.subarray(span.start, span.end + 1);
}

async function streamed(
  fs: FileSystem,
  { path, stat }: ResolvedPath,
  span?: Span,
): Promise<ReadableStream<Uint8Array> | "changed"> {
  const stream = await fs.readStream(path, span);
  const now = await fs.stat(path).catch(() => null);
  if (now?.version === stat.version) return stream;
  await stream.cancel();
  return "changed";
}
