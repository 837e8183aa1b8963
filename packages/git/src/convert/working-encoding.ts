/** `working-tree-encoding`: UTF-16 in its kinds and Latin-1, both ways; another encoding is refused as git refuses one its iconv lacks. */
import { encode } from "../bytes.ts";
import { GitError } from "../errors.ts";

type Kind = {
  readonly label: string;
  readonly bom: "required" | "prohibited" | "written" | "none";
  readonly big: boolean;
};

const KINDS: Readonly<Record<string, Kind>> = {
  "UTF-16": { label: "utf-16", bom: "required", big: true },
  "UTF-16LE": { label: "utf-16le", bom: "prohibited", big: false },
  "UTF-16BE": { label: "utf-16be", bom: "prohibited", big: true },
  "UTF-16LE-BOM": { label: "utf-16le", bom: "written", big: false },
  "ISO-8859-1": { label: "latin1", bom: "none", big: false },
  LATIN1: { label: "latin1", bom: "none", big: false },
};

/** What is fatal to storing a file, and only worth a word when it is looked at. */
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
  const upper = name.toUpperCase();
  return upper === "UTF-8" || upper === "UTF8" ? null : upper;
}

export function decodeWorkFile(path: string, bytes: Uint8Array, encoding: string): Uint8Array {
  const kind = KINDS[encoding];
  const fail = () => new EncodingError(`failed to encode '${path}' from ${encoding} to UTF-8`, null);
  if (kind === undefined) throw fail();
  if (kind.label === "latin1") return encode(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const hasBom = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (kind.bom === "required" && !hasBom) {
    const hint = `The file '${path}' is missing a byte order mark (BOM). Please use UTF-16BE or UTF-16LE (depending on the byte order) as working-tree-encoding.`;
    throw new EncodingError(`BOM is required in '${path}' if encoded as ${encoding}`, hint);
  }
  if (kind.bom === "prohibited" && hasBom) {
    const hint = `The file '${path}' contains a byte order mark (BOM). Please use UTF-16 as working-tree-encoding.`;
    throw new EncodingError(`BOM is prohibited in '${path}' if encoded as ${encoding}`, hint);
  }
  const big = hasBom ? bytes[0] === 0xfe : kind.big;
  const body = hasBom ? bytes.subarray(2) : bytes;
  try {
    return encode(new TextDecoder(big ? "utf-16be" : "utf-16le", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw fail();
  }
}

export function encodeWorkFile(path: string, bytes: Uint8Array, encoding: string): Uint8Array {
  const kind = KINDS[encoding];
  const fail = () =>
    new GitError("EINVAL", `failed to encode '${path}' from UTF-8 to ${encoding}`, { prefix: "error" });
  if (kind === undefined) throw fail();
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fail();
  }
  if (kind.label === "latin1") {
    if (/[^\0-\xff]/.test(text)) throw fail();
    return Uint8Array.from(text, (char) => char.charCodeAt(0));
  }
  const bom = kind.bom === "prohibited" ? "" : "\ufeff";
  const out = new Uint8Array(2 * (bom.length + text.length));
  const view = new DataView(out.buffer);
  const whole = bom + text;
  for (let i = 0; i < whole.length; i++) view.setUint16(2 * i, whole.charCodeAt(i), !kind.big);
  return out;
}
