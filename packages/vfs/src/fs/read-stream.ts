/**
 * `readStream`: a byte stream of a file, or of `[start, end]` of it, with a megabyte in memory at a time. It reads the content that
 * the file had when it was opened, whatever happens to the path meanwhile, and protects it from garbage collection until it ends.
 */

import { FsError } from "../api/errors.ts";
import type { ByteRange } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { isOffset } from "../node-args/offset.ts";
import type { Inode } from "../tree/inode.ts";
import { type ReadContext, wasStale } from "../volume/context.ts";
import { resolveFile } from "../volume/resolve-file.ts";

const STEP = 1024 * 1024;

export async function readStream(
  ctx: ReadContext,
  path: string,
  range: ByteRange = {},
): Promise<ReadableStream<Uint8Array>> {
  const { start = 0, end } = optionsOf<ByteRange>("readStream", range, path);
  if (!isOffset(start) || (end !== undefined && !isOffset(end)))
    throw new FsError("EINVAL", { syscall: "read", path, reason: "not a range" });
  let source = openSource(ctx, path, end);
  let at = start;
  const read = () => {
    try {
      return source.read(at);
    } catch (error) {
      if (at > start || !wasStale(ctx.volume, error)) throw error;
      source[Symbol.dispose]();
      source = openSource(ctx, path, end);
      return source.read(at);
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      type: "bytes",
      // Without it workerd delivers 4 KiB at a time, whatever is enqueued.
      autoAllocateChunkSize: STEP,
      pull(controller: ReadableByteStreamController) {
        try {
          const bytes = read();
          at += bytes.length;
          if (bytes.length > 0) return controller.enqueue(bytes);
        } catch (error) {
          source[Symbol.dispose]();
          throw error;
        }
        source[Symbol.dispose]();
        controller.close();
        // A pending BYOB request must be answered before the stream counts as closed.
        controller.byobRequest?.respond(0);
      },
      cancel() {
        source[Symbol.dispose]();
      },
    } as unknown as UnderlyingSource<Uint8Array>,
    { highWaterMark: 0 },
  );
}

interface StreamSource extends Disposable {
  /** At most a step; nothing at the end. */
  read(at: number): Uint8Array;
}

function openSource(ctx: ReadContext, path: string, end: number | undefined): StreamSource {
  const { volume } = ctx;
  const inode = resolveFile(ctx, path);
  const stop = end === undefined ? inode.size : Math.min(end + 1, inode.size);
  const reader = volume.contents.reader(inode);
  const expectContent = contentCheck(ctx, inode, path);
  const held = volume.contents.pin(inode.content);
  return {
    read(at) {
      if (at >= stop) return new Uint8Array(0);
      expectContent();
      return reader.read(at, Math.min(at + STEP, stop));
    },
    [Symbol.dispose]: () => held[Symbol.dispose](),
  };
}

/** Throws when a rollback removed the content. A content outside any transaction stays. */
function contentCheck({ volume }: ReadContext, { contentRev }: Inode, path: string): () => void {
  if (!volume.store.db.inTransaction) return () => {};
  const version = volume.revisions.format(contentRev);
  return () => {
    try {
      volume.ensureOpen().revisions.parse(version, "read");
    } catch (cause) {
      const reason = "an enclosing transaction took back the content that this stream reads";
      throw new FsError("EIO", { syscall: "read", path, reason, cause });
    }
  };
}
