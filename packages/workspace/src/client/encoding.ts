/** Between text and bytes, with Node's encoding names, on the client's side of the wire: the same rules as inside (`vfs/encoding`). */
import { Buffer } from "node:buffer";
import { FsError, type TextEncodingName } from "@workspace/vfs";

const encoder = new TextEncoder();
/** Node keeps a BOM and replaces what is not UTF-8. */
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const OTHERS = new Set([
  "latin1",
  "binary",
  "ascii",
  "base64",
  "base64url",
  "hex",
  "utf16le",
  "ucs2",
  "utf-16le",
  "ucs-2",
]);

export function encodeText(text: string, encoding: unknown, syscall: string, path: string): Uint8Array {
  return isUtf8(encoding) ? encoder.encode(text) : new Uint8Array(Buffer.from(text, known(encoding, syscall, path)));
}

export function decodeText(bytes: Uint8Array, encoding: TextEncodingName, syscall: string, path: string): string {
  if (isUtf8(encoding)) return decoder.decode(bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(known(encoding, syscall, path));
}

/** The encoding of `"utf8"` or `{ encoding: "utf8" }`; undefined for bytes. */
export function encodingOf(options: unknown, syscall: string, path: string): TextEncodingName | undefined {
  const encoding =
    typeof options === "string" ? options : (options as { encoding?: unknown } | null | undefined)?.encoding;
  if (encoding === undefined || encoding === null || encoding === "buffer") return undefined;
  if (!isUtf8(encoding)) known(encoding, syscall, path);
  return encoding as TextEncodingName;
}

function isUtf8(encoding: unknown): boolean {
  return encoding === undefined || encoding === "utf8" || encoding === "utf-8";
}

function known(encoding: unknown, syscall: string, path: string): BufferEncoding {
  const name = typeof encoding === "string" ? encoding.toLowerCase() : "";
  if (name === "utf8" || name === "utf-8" || OTHERS.has(name)) return name as BufferEncoding;
  throw new FsError("EINVAL", { syscall, path, reason: `unknown encoding "${String(encoding)}"` });
}
