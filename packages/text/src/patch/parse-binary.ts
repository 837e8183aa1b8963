/** "GIT binary patch": one or two hunks of deflated data in base 85. */
import { type BinaryHunk, type BinaryPatch, PatchError } from "./file-patch.ts";
import type { PatchReader } from "./patch-reader.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < DIGITS.length; i++) VALUES[DIGITS.charCodeAt(i)] = i;

/** The reader is after the line that announces it. */
export function parseBinary(reader: PatchReader): BinaryPatch {
  const forward = parseHalf(reader);
  if (forward === null) throw new PatchError(`unrecognized binary patch at line ${reader.line - 1}`, reader.line);
  return { forward, backward: parseHalf(reader) };
}

function parseHalf(reader: PatchReader): BinaryHunk | null {
  if (reader.isAtEnd) return null;
  const match = /^(literal|delta) (\d+)$/.exec(reader.text());
  if (!match) return null;
  reader.skip();
  const parts: number[] = [];
  for (;;) {
    const text = reader.isAtEnd ? "" : reader.text();
    if (text === "" && !reader.isAtEnd) {
      reader.skip();
      break;
    }
    const corrupt = () => new PatchError(`corrupt binary patch at line ${reader.line}: ${text}`, reader.line);
    if (reader.isAtEnd) throw corrupt();
    const length = decodeLength(text[0] as string);
    if (length === null || (text.length - 1) % 5 !== 0) throw corrupt();
    const max = ((text.length - 1) / 5) * 4;
    if (max < length || length <= max - 4) throw corrupt();
    if (!decode85(text, length, parts)) throw corrupt();
    reader.skip();
  }
  return { method: match[1] as "literal" | "delta", size: Number(match[2]), deflated: Uint8Array.from(parts) };
}

function decodeLength(letter: string): number | null {
  if (letter >= "A" && letter <= "Z") return letter.charCodeAt(0) - 64;
  if (letter >= "a" && letter <= "z") return letter.charCodeAt(0) - 96 + 26;
  return null;
}

/** Five digits to four bytes, from the second letter on. */
function decode85(text: string, length: number, into: number[]): boolean {
  let left = length;
  for (let at = 1; at < text.length; at += 5) {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const digit = VALUES[text.charCodeAt(at + i)] ?? -1;
      if (digit < 0) return false;
      value = value * 85 + digit;
    }
    if (value > 0xffffffff) return false;
    for (let shift = 24; shift >= 0 && left > 0; shift -= 8, left--) into.push((value >>> shift) & 255);
  }
  return true;
}
