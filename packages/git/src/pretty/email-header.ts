/** Names and subjects in the headers of `--pretty=email`: folded, quoted, and encoded where they are not ASCII. */
import { encode } from "../text/bytes.ts";
import { wrapText } from "./wrap-text.ts";

const MAX_LINE = 78;
const MAX_ENCODED_LINE = 76;

/** `taken`: columns already used on the line. */
export function emailSubject(title: string, taken: number, encoding: string): string {
  if (needsEncoding(title)) return encodeWords(title, taken, encoding, isSubjectSpecial);
  return wrapText(title, MAX_LINE, -taken, 1);
}

export function emailFrom(name: string, email: string, encoding: string): string {
  const label = "From: ";
  let line: string;
  if (needsEncoding(name)) line = label + encodeWords(name, label.length, encoding, isAddressSpecial);
  else if (/[()<>[\]:;@\\,."]/.test(name)) line = label + wrapText(quoted(name), MAX_LINE, -label.length, 1);
  else line = label + wrapText(name, MAX_LINE, -label.length, 1);
  const last = line.length - (line.lastIndexOf("\n") + 1);
  const fits = last + email.length + 3 <= MAX_LINE;
  return `${line}${fits ? "" : "\n"} <${email}>\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (letter) => `\\${letter}`)}"`;
}

function needsEncoding(text: string): boolean {
  return /[^\x00-\x7f]|\n|=\?/.test(text);
}

function isSubjectSpecial(byte: number): boolean {
  return byte > 126 || byte <= 32 || byte === 61 || byte === 63 || byte === 95;
}

/** In a phrase only letters, digits and a few other characters may be unencoded. */
function isAddressSpecial(byte: number): boolean {
  return !/[A-Za-z0-9!*+\-/]/.test(String.fromCharCode(byte)) || byte > 126;
}

function encodeWords(text: string, taken: number, encoding: string, isSpecial: (byte: number) => boolean): string {
  const start = `=?${encoding}?q?`;
  let out = start;
  let length = taken + start.length;
  for (const letter of text) {
    const bytes = encode(letter);
    const special = bytes.length > 1 || isSpecial(bytes[0] as number);
    const piece = special
      ? Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("")
      : letter;
    // The "?=" that ends the word must fit too.
    if (length + piece.length + 2 > MAX_ENCODED_LINE) {
      out += `?=\n ${start}`;
      length = start.length + 1;
    }
    out += piece;
    length += piece.length;
  }
  return `${out}?=`;
}
