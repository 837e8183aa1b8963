/**
 * `readStream`: a byte stream of a file, or of `[start, end]` of it, a megabyte in memory at a time. It reads the content that
 * the file had when it was opened, whatever happens to the path meanwhile, and keeps it from being collected until it ends.
 */
import { ContentReader } from "../content/reader.ts";
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { ByteRange } from "../filesystem.ts";
import { isOffset } from "../offset.ts";
import { pin } from "../volume.ts";
import { fileAt } from "./read-file.ts";

const STEP = 1024 * 1024;

export async function readStream(
  ctx: FsContext,
  path: string,
  range: ByteRange = {},
): Promise<ReadableStream<Uint8Array>> {
  const { start = 0, end } = range ?? {};
  if (!isOffset(start) || (end !== undefined && !isOffset(end)))
    throw new FsError("EINVAL", { syscall: "read", path, reason: "not a range" });
  const inode = fileAt(ctx, path);
  const stop = end === undefined ? inode.size : Math.min(end + 1, inode.size);
  const reader = new ContentReader(ctx.volume.db, inode);
  const held = pin(ctx.volume.pinnedContents, inode.content);
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      type: "bytes",
      // Without it workerd hands out 4 KiB at a time, whatever is enqueued.
      autoAllocateChunkSize: STEP,
      pull(controller: ReadableByteStreamController) {
        if (at >= stop) {
          held[Symbol.dispose]();
          controller.close();
          // A pending BYOB request must be answered before the stream counts as closed.
          controller.byobRequest?.respond(0);
          return;
        }
        try {
          const bytes = reader.read(at, Math.min(at + STEP, stop));
          at += bytes.length;
          controller.enqueue(bytes);
        } catch (error) {
          held[Symbol.dispose]();
          throw error;
        }
      },
      cancel() {
        held[Symbol.dispose]();
      },
    } as unknown as UnderlyingSource<Uint8Array>,
    { highWaterMark: 0 },
  );
}
