/** The byte order of UTF-8, in which the file system sorts names: by code points, unlike JavaScript's `<`. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** The order of a walk: the contents of a directory come right after it, and so before "directory-2". */
export function compareAsWalked(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    return x === SLASH ? -1 : y === SLASH ? 1 : rank(x) - rank(y);
  }
  return a.length - b.length;
}

const SLASH = 0x2f;

/** Surrogates represent code points above all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}
