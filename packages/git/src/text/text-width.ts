/** Terminal width of text in columns, without color sequences: the unit of padding and wrapping. */

/** Wide in East Asian fonts, as git counts them. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x23e9, 0x23ec],
  [0x23f0, 0x23f0],
  [0x23f3, 0x23f3],
  [0x25fd, 0x25fe],
  [0x2614, 0x2615],
  [0x2648, 0x2653],
  [0x267f, 0x267f],
  [0x2693, 0x2693],
  [0x26a1, 0x26a1],
  [0x26aa, 0x26ab],
  [0x26bd, 0x26be],
  [0x26c4, 0x26c5],
  [0x26ce, 0x26ce],
  [0x26d4, 0x26d4],
  [0x26ea, 0x26ea],
  [0x26f2, 0x26f3],
  [0x26f5, 0x26f5],
  [0x26fa, 0x26fa],
  [0x26fd, 0x26fd],
  [0x2705, 0x2705],
  [0x270a, 0x270b],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x274e, 0x274e],
  [0x2753, 0x2755],
  [0x2757, 0x2757],
  [0x2795, 0x2797],
  [0x27b0, 0x27b0],
  [0x27bf, 0x27bf],
  [0x2b1b, 0x2b1c],
  [0x2b50, 0x2b50],
  [0x2b55, 0x2b55],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1b000, 0x1b2ff],
  [0x1f004, 0x1f004],
  [0x1f0cf, 0x1f0cf],
  [0x1f18e, 0x1f18e],
  [0x1f191, 0x1f19a],
  [0x1f200, 0x1f320],
  [0x1f32d, 0x1f335],
  [0x1f337, 0x1f37c],
  [0x1f37e, 0x1f393],
  [0x1f3a0, 0x1f3ca],
  [0x1f3cf, 0x1f3d3],
  [0x1f3e0, 0x1f3f0],
  [0x1f3f4, 0x1f3f4],
  [0x1f3f8, 0x1f43e],
  [0x1f440, 0x1f440],
  [0x1f442, 0x1f4fc],
  [0x1f4ff, 0x1f53d],
  [0x1f54b, 0x1f54e],
  [0x1f550, 0x1f567],
  [0x1f57a, 0x1f57a],
  [0x1f595, 0x1f596],
  [0x1f5a4, 0x1f5a4],
  [0x1f5fb, 0x1f64f],
  [0x1f680, 0x1f6c5],
  [0x1f6cc, 0x1f6cc],
  [0x1f6d0, 0x1f6d2],
  [0x1f6d5, 0x1f6d7],
  [0x1f6dd, 0x1f6df],
  [0x1f6eb, 0x1f6ec],
  [0x1f6f4, 0x1f6fc],
  [0x1f7e0, 0x1f7eb],
  [0x1f7f0, 0x1f7f0],
  [0x1f90c, 0x1f93a],
  [0x1f93c, 0x1f945],
  [0x1f947, 0x1f9ff],
  [0x1fa70, 0x1faff],
  [0x20000, 0x3fffd],
];
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const ESCAPE = /^\x1b\[[0-9;]*m/;

export function textWidth(text: string): number {
  let width = 0;
  for (let at = 0; at < text.length; ) {
    const color = escapeLength(text, at);
    if (color > 0) {
      at += color;
      continue;
    }
    const point = text.codePointAt(at) as number;
    width += pointWidth(point);
    at += point > 0xffff ? 2 : 1;
  }
  return width;
}

/** The length of a color sequence at `at`; 0: none. */
export function escapeLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x1b) return 0;
  return ESCAPE.exec(text.slice(at, at + 64))?.[0].length ?? 0;
}

/** Control characters have no width. */
export function pointWidth(point: number): number {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return 0;
  if (point < 0x300) return point === 0xad ? 0 : 1;
  if (ZERO.test(String.fromCodePoint(point))) return 0;
  return isWide(point) ? 2 : 1;
}

function isWide(point: number): boolean {
  let low = 0;
  let high = WIDE.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = WIDE[middle] as readonly [number, number];
    if (point < first) high = middle - 1;
    else if (point > last) low = middle + 1;
    else return true;
  }
  return false;
}

/** `text` with `count` columns from `start` replaced; color sequences stay. */
export function replaceColumns(text: string, start: number, count: number, by: string): string {
  let result = "";
  let column = 0;
  let put = false;
  for (let at = 0; at < text.length; ) {
    const color = escapeLength(text, at);
    if (color > 0) {
      result += text.slice(at, at + color);
      at += color;
      continue;
    }
    const point = text.codePointAt(at) as number;
    const width = pointWidth(point);
    const letter = String.fromCodePoint(point);
    if (width > 0 && column >= start && column < start + count) {
      if (!put) result += by;
      put = true;
    } else result += letter;
    column += width;
    at += letter.length;
  }
  return result;
}
