/** Reads the fields of a tar header, a block of 512 bytes. */
import { invalidArchive } from "./archive-error.ts";

export const BLOCK = 512;

export function checkSum(block: Uint8Array): void {
  let sum = 0;
  for (const [i, byte] of block.entries()) sum += i >= 148 && i < 156 ? 32 : byte;
  if (octal(block, 148, 8) !== sum) throw damaged();
}

export function headerName(block: Uint8Array): string {
  const name = terminated(block.subarray(0, 100));
  // GNU's own headers store times where ustar stores the prefix of a long name.
  const posix = text(block.subarray(257, 263)) === "ustar\0";
  const prefix = posix ? terminated(block.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Reads an octal number, or GNU's binary form for values that octal cannot hold. */
export function octal(block: Uint8Array, at: number, length: number): number {
  const first = block[at] ?? 0;
  if (first === 0x80 || first === 0xff) return binaryNumber(block.subarray(at + 1, at + length), first === 0xff);
  const digits = latin1(block.subarray(at, at + length))
    .replace(/\0.*$/s, "")
    .trim();
  if (!/^[0-7]*$/.test(digits)) throw damaged();
  return Number.parseInt(digits || "0", 8);
}

/** Two's complement, most significant byte first. */
function binaryNumber(bytes: Uint8Array, negative: boolean): number {
  const value = bytes.reduce((sum, byte) => sum * 256 + (negative ? 255 - byte : byte), 0);
  if (!Number.isSafeInteger(value)) throw invalidArchive("a number in it is too large");
  return negative ? -1 - value : value;
}

export function terminated(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return text(end === -1 ? bytes : bytes.subarray(0, end));
}

export function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidArchive("a name in it is not UTF-8", cause);
  }
}

export function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

export function damaged(): Error {
  return invalidArchive("it is no tar, or a header of it is damaged");
}
