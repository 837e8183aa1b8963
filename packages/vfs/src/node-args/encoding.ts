/**
 * Converts between text and bytes, with Node's encoding names and Node's leniency. No `node:buffer`: a user's Worker need not
 * enable Node compatibility.
 */
import { FsError } from "../api/errors.ts";
import type { TextEncodingName } from "../api/file-system.ts";

interface Codec {
  encode(text: string): Uint8Array;
  decode(bytes: Uint8Array): string;
}

const encoder = new TextEncoder();
/** Node keeps a BOM and replaces invalid UTF-8. */
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const utf8: Codec = { encode: (text) => encoder.encode(text), decode: (bytes) => decoder.decode(bytes) };

const latin1: Codec = {
  encode(text) {
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  },
  decode: (bytes) => fromUnits(bytes),
};

const ascii: Codec = { encode: latin1.encode, decode: (bytes) => fromUnits(bytes.map((byte) => byte & 0x7f)) };

const utf16: Codec = {
  encode(text) {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), true);
    return bytes;
  },
  decode(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return fromUnits(Uint16Array.from({ length: bytes.length >> 1 }, (_, i) => view.getUint16(i * 2, true)));
  },
};

const hex: Codec = {
  encode(text) {
    // Node stops at the first pair that is not hexadecimal.
    const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)?.[0] ?? "";
    return Uint8Array.from({ length: pairs.length / 2 }, (_, i) => Number.parseInt(pairs.slice(i * 2, i * 2 + 2), 16));
  },
  decode: (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""),
};

const base64: Codec = {
  encode(text) {
    const clean = text
      .replace(/=.*$/s, "")
      .replace(/-/g, "+")
      .replace(/_/g, "/")
      .replace(/[^A-Za-z0-9+/]/g, "");
    return latin1.encode(atob(clean.length % 4 === 1 ? clean.slice(0, -1) : clean));
  },
  decode: (bytes) => btoa(fromUnits(bytes)),
};

const base64url: Codec = {
  encode: base64.encode,
  decode: (bytes) => base64.decode(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, ""),
};

const CODECS: Record<string, Codec> = {
  utf8,
  "utf-8": utf8,
  latin1,
  binary: latin1,
  ascii,
  utf16le: utf16,
  "utf-16le": utf16,
  ucs2: utf16,
  "ucs-2": utf16,
  hex,
  base64,
  base64url,
};

export function encodeText(
  text: string,
  encoding: TextEncodingName | undefined,
  syscall: string,
  path: string,
): Uint8Array {
  return encoding === undefined ? encoder.encode(text) : codec(encoding, syscall, path).encode(text);
}

export function decodeText(bytes: Uint8Array, encoding: TextEncodingName, syscall: string, path: string): string {
  return codec(encoding, syscall, path).decode(bytes);
}

/** The encoding of `"utf8"` or `{ encoding: "utf8" }`; undefined for bytes. */
export function encodingOf(options: unknown, syscall: string, path: string): TextEncodingName | undefined {
  const encoding =
    typeof options === "string" ? options : (options as { encoding?: unknown } | null | undefined)?.encoding;
  if (encoding === undefined || encoding === null || encoding === "buffer") return undefined;
  codec(encoding, syscall, path);
  return encoding as TextEncodingName;
}

function codec(encoding: unknown, syscall: string, path: string): Codec {
  const name = typeof encoding === "string" ? encoding.toLowerCase() : "";
  if (!Object.hasOwn(CODECS, name))
    throw new FsError("EINVAL", { syscall, path, reason: `unknown encoding "${String(encoding)}"` });
  return CODECS[name] as Codec;
}

/** In slices: the number of arguments of a call is limited. */
function fromUnits(units: Uint8Array | Uint16Array): string {
  let text = "";
  for (let i = 0; i < units.length; i += 8192) text += String.fromCharCode(...units.subarray(i, i + 8192));
  return text;
}
