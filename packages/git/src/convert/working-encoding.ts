/** `working-tree-encoding`: UTF-16 and UTF-32 in their kinds and what `encodings.ts` knows, both ways; another is refused as git refuses one its iconv lacks. */

import { GitError } from "../errors.ts";
import { encode } from "../text/bytes.ts";
import { decodeFrom, encodeInto, isUtf8 } from "../text/encodings.ts";

type EncodingKind = {
  /** Bytes of a unit. */
  readonly width: 2 | 4;
  readonly bom: "required" | "prohibited" | "written";
  readonly big: boolean;
};

/** Without an order named, what is written is little-endian, as glibc does it. */
function encodingKind(name: string): EncodingKind | null {
  const encoding = name.toUpperCase();
  const [, bits, order, bom] = /^UTF-?(16|32)(LE|BE)?(-BOM)?$/.exec(encoding) ?? [];
  if (bits === undefined || (bom !== undefined && (order === undefined || bits === "32"))) return null;
  const marks = order === undefined ? "required" : bom === undefined ? "prohibited" : "written";
  return { width: bits === "16" ? 2 : 4, bom: marks, big: order === "BE" };
}

/** Null: there is none. */
function detectBom(bytes: Uint8Array, width: 2 | 4): "big" | "little" | null {
  const unit = [...bytes.subarray(0, width)];
  const [last, before] = [unit.at(-1), unit.at(-2)];
  if (unit.length < width) return null;
  if (before === 0xfe && last === 0xff && unit.slice(0, -2).every((byte) => byte === 0)) return "big";
  return unit[0] === 0xff && unit[1] === 0xfe && unit.slice(2).every((byte) => byte === 0) ? "little" : null;
}

/** Fatal when a file is stored, only a warning when it is read. */
export class EncodingError extends GitError {
  constructor(
    message: string,
    readonly advice: string | null,
  ) {
    super("EINVAL", message);
  }
}

/** Null: nothing to do. */
export function knownEncoding(name: string): string | null {
  return isUtf8(name) ? null : name;
}

export function decodeWorkFile(path: string, bytes: Uint8Array, encoding: string): Uint8Array {
  const kind = encodingKind(encoding);
  const fail = () => new EncodingError(`failed to encode '${path}' from ${encoding} to UTF-8`, null);
  if (kind === null) {
    const text = decodeFrom(bytes, encoding);
    if (text === null) throw fail();
    return encode(text);
  }
  // A big-endian file with its mark can be written by that name, and not be read.
  if (kind.bom === "written" && kind.big) throw fail();
  const { width } = kind;
  const mark = detectBom(bytes, width);
  const family = `UTF-${width * 8}`;
  if (kind.bom === "required" && mark === null) {
    const hint = `The file '${path}' is missing a byte order mark (BOM). Please use ${family}BE or ${family}LE (depending on the byte order) as working-tree-encoding.`;
    throw new EncodingError(`BOM is required in '${path}' if encoded as ${encoding}`, hint);
  }
  if (kind.bom === "prohibited" && mark !== null) {
    const hint = `The file '${path}' contains a byte order mark (BOM). Please use ${family} as working-tree-encoding.`;
    throw new EncodingError(`BOM is prohibited in '${path}' if encoded as ${encoding}`, hint);
  }
  const little = mark === null ? !kind.big : mark === "little";
  const body = mark === null ? bytes : bytes.subarray(width);
  try {
    if (width === 4) return encode(fromUtf32(body, little));
    return encode(new TextDecoder(little ? "utf-16le" : "utf-16be", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw fail();
  }
}

/** Throws for what is no character. */
function fromUtf32(bytes: Uint8Array, little: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) text += String.fromCodePoint(view.getUint32(at, little));
  return text;
}

export function encodeWorkFile(path: string, bytes: Uint8Array, encoding: string): Uint8Array {
  const kind = encodingKind(encoding);
  const fail = () =>
    new GitError("EINVAL", `failed to encode '${path}' from UTF-8 to ${encoding}`, { prefix: "error" });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fail();
  }
  if (kind === null) {
    const encoded = encodeInto(text, encoding);
    if (encoded === null) throw fail();
    return encoded;
  }
  const { width } = kind;
  const whole = kind.bom === "prohibited" ? text : `\ufeff${text}`;
  const units = width === 4 ? [...whole] : whole;
  const out = new Uint8Array(width * units.length);
  const view = new DataView(out.buffer);
  for (let i = 0; i < units.length; i++) {
    if (width === 4) view.setUint32(4 * i, (units[i] as string).codePointAt(0) as number, !kind.big);
    else view.setUint16(2 * i, whole.charCodeAt(i), !kind.big);
  }
  return out;
}
