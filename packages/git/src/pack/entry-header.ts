/** The header before the compressed bytes of a pack entry: type, size, and for a delta its base. */
import { GitError } from "../errors.ts";
import type { ObjectType } from "../odb/object-database.ts";

export const OFS_DELTA = 6;
export const REF_DELTA = 7;

const TYPES: readonly (ObjectType | undefined)[] = [undefined, "commit", "tree", "blob", "tag"];

export function typeOfCode(code: number): ObjectType | undefined {
  return TYPES[code];
}

export function codeOfType(type: ObjectType): number {
  return TYPES.indexOf(type);
}

/** Maximum length: ten bytes of size, and ten of offset or twenty of id. */
export const MAX_HEADER = 32;

/** Filled by `parseEntryHeader`; a single instance, since there is one header per object and it is read at once. */
export const entryHeader = {
  code: 0,
  size: 0,
  /** OFS_DELTA: distance back to the base. */
  back: 0,
  /** REF_DELTA: position of the base's id in the bytes. */
  nameAt: 0,
  /** Where the compressed bytes begin. */
  dataAt: 0,
};

/** False: the bytes end before the header does. */
export function parseEntryHeader(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  if (at >= to) return false;
  let byte = bytes[at++] as number;
  const code = (byte >> 4) & 7;
  let size = byte & 15;
  let scale = 16;
  while (byte >= 128) {
    if (at >= to) return false;
    if (scale > 2 ** 46) throw new GitError("ECORRUPT", "bad object header");
    byte = bytes[at++] as number;
    size += (byte & 127) * scale;
    scale *= 128;
  }
  entryHeader.code = code;
  entryHeader.size = size;
  if (code === OFS_DELTA) {
    if (at >= to) return false;
    byte = bytes[at++] as number;
    let back = byte & 127;
    while (byte >= 128) {
      if (at >= to) return false;
      byte = bytes[at++] as number;
      back = (back + 1) * 128 + (byte & 127);
      if (back > 2 ** 46) throw new GitError("ECORRUPT", "offset value overflow for delta base object");
    }
    entryHeader.back = back;
  } else if (code === REF_DELTA) {
    if (at + 20 > to) return false;
    entryHeader.nameAt = at;
    at += 20;
  } else if (code === 0 || code === 5) throw new GitError("ECORRUPT", `unknown object type ${code}`);
  entryHeader.dataAt = at;
  return true;
}

/** Serializes the header. */
export function putEntryHeader(into: Uint8Array, at: number, code: number, size: number): number {
  let to = at;
  let byte = (code << 4) | (size % 16);
  let rest = Math.floor(size / 16);
  while (rest > 0) {
    into[to++] = byte | 128;
    byte = rest % 128;
    rest = Math.floor(rest / 128);
  }
  into[to++] = byte;
  return to;
}

/** Writes the distance from an OFS_DELTA back to its base. */
export function putBackOffset(into: Uint8Array, at: number, back: number): number {
  const digits = [back % 128];
  for (let rest = Math.floor(back / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    digits.push((rest % 128) | 128);
  }
  let to = at;
  for (let i = digits.length - 1; i >= 0; i--) into[to++] = digits[i] as number;
  return to;
}
