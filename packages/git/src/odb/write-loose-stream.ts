/**
 * Writes a blob that is too large to hold: hashed and deflated as a stream, to a temporary file that is renamed at the end.
 */
import type { FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { objectHeader } from "../hash/hash-object.ts";
import { createStreamingHash } from "../hash/streaming-hash.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import { deflateStream } from "../zlib/deflate-stream.ts";
import type { LooseStore } from "./loose-store.ts";

export async function writeLooseStream(
  fs: FileSystem,
  loose: LooseStore,
  size: number,
  content: AsyncIterable<Uint8Array>,
): Promise<Oid> {
  const hash = createStreamingHash();
  const temporary = `${loose.directory}/tmp_obj_${crypto.randomUUID().slice(0, 8)}`;
  try {
    const deflated = deflateStream(counted(size, content, hash.update.bind(hash)));
    await fs.writeFile(temporary, deflated, { flag: "wx", mode: 0o444 });
    const oid = oidFromBytes(hash.digest());
    const path = loose.path(oid);
    if (await fs.exists(path)) await fs.rm(temporary);
    else {
      await fs.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
      await fs.rename(temporary, path);
    }
    return oid;
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
}

/** Reads a whole stream, which must have its declared length. */
export async function gather(size: number, content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const body = new Uint8Array(size);
  let at = 0;
  for await (const piece of content) {
    if (at + piece.length > size) throw wrongSize(size);
    body.set(piece, at);
    at += piece.length;
  }
  if (at !== size) throw wrongSize(size);
  return body;
}

async function* counted(
  size: number,
  content: AsyncIterable<Uint8Array>,
  hash: (bytes: Uint8Array) => unknown,
): AsyncGenerator<Uint8Array> {
  const header = objectHeader("blob", size);
  hash(header);
  yield header;
  let left = size;
  for await (const piece of content) {
    left -= piece.length;
    if (left < 0) throw wrongSize(size);
    hash(piece);
    yield piece.slice();
  }
  if (left > 0) throw wrongSize(size);
}

function wrongSize(size: number): GitError {
  return new GitError("EINVAL", `content is not of the ${size} bytes it was said to have`);
}
