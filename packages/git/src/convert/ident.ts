/** The `ident` attribute: `$Id: …$` is stored as `$Id$` and checked out with the blob's name. */

import type { Oid } from "../object/oid.ts";
import { concat, encode } from "../text/bytes.ts";

const DOLLAR = 0x24;
const COLON = 0x3a;
const NEWLINE = 10;

interface IdentKeyword {
  readonly start: number;
  /** Behind the closing dollar. */
  readonly end: number;
}

/** `$Id$` and `$Id:…$` on one line. */
function* keywords(bytes: Uint8Array): Generator<IdentKeyword> {
  for (let at = bytes.indexOf(DOLLAR); at >= 0; at = bytes.indexOf(DOLLAR, at)) {
    const start = at++;
    if (bytes[start + 1] !== 0x49 || bytes[start + 2] !== 0x64) continue;
    const next = bytes[start + 3];
    if (next === DOLLAR) {
      at = start + 4;
      yield { start, end: at };
      continue;
    }
    if (next !== COLON) continue;
    const close = bytes.indexOf(DOLLAR, start + 4);
    if (close < 0) return;
    const line = bytes.indexOf(NEWLINE, start + 4);
    if (line >= 0 && line < close) continue;
    at = close + 1;
    yield { start, end: at };
  }
}

export function collapseIdent(bytes: Uint8Array): Uint8Array {
  return replaced(bytes, () => encode("$Id$"));
}

export function expandIdent(bytes: Uint8Array, oid: Oid): Uint8Array {
  return replaced(bytes, ({ start, end }) => {
    // Another system's keyword: one with spaces inside its value is left alone.
    const value = bytes.subarray(start + 4, end - 1);
    const foreign =
      bytes[start + 3] === COLON &&
      value.length > 1 &&
      value.indexOf(0x20, 1) > 0 &&
      value.indexOf(0x20, 1) < value.length - 1;
    return foreign ? bytes.subarray(start, end) : encode(`$Id: ${oid} $`);
  });
}

function replaced(bytes: Uint8Array, by: (found: IdentKeyword) => Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (const found of keywords(bytes)) {
    parts.push(bytes.subarray(from, found.start), by(found));
    from = found.end;
  }
  if (parts.length === 0) return bytes;
  parts.push(bytes.subarray(from));
  return concat(parts);
}
