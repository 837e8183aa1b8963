/**
 * One message as bytes: u32 length of the header, header as JSON, body; big-endian. A WebSocket separates messages, so no outer
 * length is needed, but the inner one is checked: the message is untrusted.
 */
import { FrameError } from "../frames.ts";
import { SYNC_LIMITS } from "./sync-limits.ts";

export interface Message {
  header: Record<string, unknown>;
  body: Uint8Array;
  /** Its length on the wire, if it was compressed. */
  packedBytes?: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const EMPTY = new Uint8Array(0);

export function encodeMessage(header: object, body: Uint8Array | readonly Uint8Array[] = EMPTY): Uint8Array {
  const head = encoder.encode(JSON.stringify(header));
  const parts = body instanceof Uint8Array ? [body] : body;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (head.length > SYNC_LIMITS.headerBytes || 4 + head.length + length > SYNC_LIMITS.messageBytes)
    throw new FrameError(`a message of ${head.length} and ${length} bytes is too large`);
  const message = new Uint8Array(4 + head.length + length);
  new DataView(message.buffer).setUint32(0, head.length);
  message.set(head, 4);
  let at = 4 + head.length;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}

export function decodeMessage(message: Uint8Array): Message {
  if (message.length < 4 || message.length > SYNC_LIMITS.messageBytes)
    throw new FrameError(`a message of ${message.length} bytes is outside 4 to ${SYNC_LIMITS.messageBytes}`);
  const length = new DataView(message.buffer, message.byteOffset, 4).getUint32(0);
  if (length > SYNC_LIMITS.headerBytes || 4 + length > message.length)
    throw new FrameError(`a message's header of ${length} bytes does not fit`);
  let header: unknown;
  try {
    header = JSON.parse(decoder.decode(message.subarray(4, 4 + length)));
  } catch (cause) {
    throw new FrameError("a message's header is not JSON", { cause });
  }
  if (typeof header !== "object" || header === null || Array.isArray(header))
    throw new FrameError("a message's header is not an object");
  return { header: header as Record<string, unknown>, body: message.subarray(4 + length) };
}
