/** `writeMany`: a few entries inside the message, many or large ones as a stream of frames; all or none in either case. */
import { encodeFrame, ownBytes, RPC_LIMITS } from "@workspace/protocol";
import type { BulkEntry, BulkResult, Time } from "@workspace/vfs";
import { asBytes, encodeContent } from "./encode-content.ts";
import type { RpcClient } from "./rpc-client.ts";

export async function remoteWriteMany(connection: RpcClient, entries: readonly BulkEntry[]): Promise<BulkResult> {
  if (!Array.isArray(entries) || fitsMessage(entries)) {
    return (await connection.call("writeMany", [Array.isArray(entries) ? entries.map(ownContent) : entries]))
      .value as BulkResult;
  }
  const { body } = encodeContent(framesOf(entries), { path: "" });
  return (await connection.call("writeMany", [undefined, entries.length], { body })).value as BulkResult;
}

/** By an upper estimate: two bytes per character, and an overhead per entry. */
function fitsMessage(entries: readonly BulkEntry[]): boolean {
  if (entries.length > RPC_LIMITS.inlineItems) return false;
  let size = 0;
  for (const entry of entries) {
    const content = (entry as { content?: unknown } | null)?.content;
    size +=
      256 +
      2 * (entry?.path?.length ?? 0) +
      (typeof content === "string" ? 2 * content.length : (asBytes(content)?.length ?? 0));
    if (size > RPC_LIMITS.inlineBytes) return false;
  }
  return true;
}

function ownContent(entry: BulkEntry): BulkEntry {
  const bytes = asBytes((entry as { content?: unknown } | null)?.content);
  return bytes === null ? entry : ({ ...entry, content: ownBytes(bytes) } as BulkEntry);
}

const encoder = new TextEncoder();

async function* framesOf(entries: readonly BulkEntry[]): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    const { content, mtime, ...header } = entry as { content?: string | Uint8Array; mtime?: Time };
    const body = typeof content === "string" ? encoder.encode(content) : (asBytes(content) ?? undefined);
    yield* encodeFrame({ ...header, mtime: mtime === undefined ? undefined : asSeconds(mtime) }, body);
  }
}

/** JSON has no dates; a number is in seconds, as in Node. */
function asSeconds(time: Time): number | string {
  return time instanceof Date ? time.getTime() / 1000 : time;
}
