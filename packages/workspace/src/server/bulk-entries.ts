/** Incoming entries of `writeMany`: inside the message, or each as a frame with the entry as header and the content as body. */
import { FrameError, RPC_LIMITS, readFrames } from "@workspace/protocol";
import { type BulkEntry, FsError } from "@workspace/vfs";
import {
  type ArgumentCheck,
  bytes,
  either,
  exactFields,
  fields,
  integer,
  nullable,
  oneOf,
  optional,
  path,
  reject,
  text,
  time,
} from "./arguments.ts";
import { chunksOfBody } from "./body.ts";

const common = { path, ifVersion: optional(nullable(text)) };
const created = { ...common, mtime: optional(time) };
const shapes = {
  file: exactFields({
    ...created,
    type: optional(oneOf("file")),
    content: either(text, bytes),
    mode: optional(integer),
  }),
  dir: exactFields({ ...created, type: oneOf("dir"), mode: optional(integer) }),
  symlink: exactFields({ ...created, type: oneOf("symlink"), target: text }),
  remove: exactFields({ ...common, type: oneOf("remove") }),
};

export const bulkEntry: ArgumentCheck<BulkEntry> = (value, name) => {
  const { type = "file" } = fields({ type: optional(oneOf("file", "dir", "symlink", "remove")) })(value, name);
  return shapes[type](value, name) as BulkEntry;
};

/** Dates are text in a frame's header; a file's content is the frame's body, not in its header. */
export async function readBulkEntries(body: ReadableStream<Uint8Array>, expected: number): Promise<BulkEntry[]> {
  const entries: BulkEntry[] = [];
  let size = 0;
  try {
    for await (const { header, body: content } of readFrames(chunksOfBody(body))) {
      size += content.length;
      if (size > RPC_LIMITS.bulkBytes)
        throw new FsError("EFBIG", { syscall: "writeMany", reason: "too many bytes for one writeMany" });
      if (entries.length >= expected) return reject("body", `${expected} frames`);
      entries.push(fromFrame(header, content, `frame ${entries.length}`));
    }
  } catch (error) {
    if (error instanceof FrameError) return reject("body", `frames: ${error.message}`);
    throw error;
  }
  return entries.length === expected ? entries : reject("body", `${expected} frames`);
}

function fromFrame(header: unknown, content: Uint8Array, name: string): BulkEntry {
  const isFile =
    typeof header === "object" && header !== null && ((header as { type?: unknown }).type ?? "file") === "file";
  return bulkEntry(isFile ? { ...header, content } : header, name);
}
