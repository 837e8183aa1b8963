/**
 * Text in configured encodings (`i18n.commitEncoding`, `working-tree-encoding`). A runtime decodes them but encodes only UTF-8: an
 * encoder is the inverse of the decoder, built on first use.
 */

import type { GitConfig } from "../config/git-config.ts";
import { concat, decode, encode } from "./bytes.ts";
import { toLatin1 } from "./to-latin1.ts";

export const UTF8 = "UTF-8";

export function isUtf8(name: string): boolean {
  return /^utf-?8$/i.test(name);
}

/** The encoding that commits are written in. */
export function commitOutputEncoding(config: Pick<GitConfig, "get">): string {
  return config.get("i18n.commitencoding") || UTF8;
}

/** The encoding that commits are shown in; "": unchanged. */
export function logOutputEncoding(config: Pick<GitConfig, "get">, requested?: unknown): string {
  if (typeof requested === "string") return requested === "none" ? "" : requested;
  return config.get("i18n.logoutputencoding") || commitOutputEncoding(config);
}

/** Converts text from `decode` from one encoding to another. Null: impossible; "" is any encoding. */
export function reencode(text: string, from: string, to: string): string | null {
  if (from === "" || to === "" || from.toLowerCase() === to.toLowerCase() || (isUtf8(from) && isUtf8(to))) return text;
  const plain = isUtf8(from) ? (text.isWellFormed() ? text : null) : decodeFrom(encode(text), from);
  if (plain === null || isUtf8(to)) return plain;
  const bytes = encodeInto(plain, to);
  return bytes && decode(bytes);
}

/** Null: unknown encoding, or invalid bytes. */
export function decodeFrom(bytes: Uint8Array, name: string): string | null {
  const label = labelOf(name);
  if (label === "latin1") return toLatin1(bytes);
  try {
    return label && new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Null: unknown encoding, or it lacks a character. A trailing shift state is not reset, as in git. */
export function encodeInto(text: string, name: string): Uint8Array | null {
  const label = labelOf(name);
  if (label === "latin1")
    return /[^\0-\xff]/.test(text) ? null : Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  if (label === null) return null;
  const shifts = label === "iso-2022-jp";
  const table = tableOf(shifts ? "euc-jp" : label);
  const parts: Uint8Array[] = [];
  let shifted = false;
  for (const letter of text) {
    const isAscii = letter < "\x80";
    const bytes = isAscii ? encode(letter) : table.get(letter);
    if (bytes === undefined || (shifts && !isAscii && (bytes.length !== 2 || bytes[0] === 0x8e))) return null;
    if (shifts && shifted === isAscii) parts.push(encode(isAscii ? "\x1b(B" : "\x1b$B"));
    shifted = !isAscii;
    parts.push(shifts && !isAscii ? bytes.map((byte) => byte & 0x7f) : bytes);
  }
  return concat(parts);
}

const LABELS = "shift_jis euc-jp iso-2022-jp euc-kr gbk gb18030 big5 koi8-r koi8-u macintosh".split(" ");
const ALIASES: Readonly<Record<string, string>> = {
  sjis: "shift_jis",
  cp932: "shift_jis",
  euccn: "gbk",
  gb2312: "gbk",
};

/** By iconv's names, of which there are more than the runtime's. */
function labelOf(name: string): string | null {
  const key = name.toLowerCase().replace(/[^a-z\d]/g, () => "");
  const [, part, windows] = /^(?:iso)?8859(\d+)$|^(?:cp|windows)(125\d|874)$/.exec(key) ?? [];
  if (part === "1" || key === "latin1") return "latin1";
  if (part !== undefined) return `iso-8859-${part}`;
  if (windows !== undefined) return `windows-${windows}`;
  return ALIASES[key] ?? LABELS.find((label) => label.replace(/[^a-z\d]/g, () => "") === key) ?? null;
}

const tables = new Map<string, ReadonlyMap<string, Uint8Array>>();

/** Every character outside ASCII that one, two or (in EUC-JP) three bytes encode. */
function tableOf(label: string): ReadonlyMap<string, Uint8Array> {
  const known = tables.get(label);
  if (known) return known;
  const table = new Map<string, Uint8Array>();
  const decoder = new TextDecoder(label);
  const add = (...bytes: number[]) => {
    const letter = decoder.decode(Uint8Array.from(bytes));
    const isOne = letter !== "\ufffd" && [...letter].length === 1;
    if (isOne && letter >= "\x80" && !table.has(letter)) table.set(letter, Uint8Array.from(bytes));
    return isOne;
  };
  for (let first = 0x80; first <= 0xff; first++) {
    if (add(first) || /^(?:iso|win|koi|mac)/.test(label)) continue;
    for (let second = 0x40; second <= 0xfe; second++) {
      add(first, second);
      if (first === 0x8f && label === "euc-jp" && second >= 0xa1)
        for (let third = 0xa1; third <= 0xfe; third++) add(first, second, third);
    }
  }
  tables.set(label, table);
  return table;
}
