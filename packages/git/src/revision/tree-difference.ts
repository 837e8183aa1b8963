/**
 * Finds the differing entries of two trees in their bytes: a history by path compares thousands of nearly equal trees, and an
 * object for every entry would be most of the work.
 */
import { GitError } from "../errors.ts";
import { isTreeMode } from "../object/file-mode.ts";
import { oidFromBytes } from "../object/oid.ts";
import type { TreeEntry } from "../object/tree.ts";
import { decode } from "../text/bytes.ts";

const SPACE = 0x20;
const SLASH = 0x2f;
const HASH = 20;

/** Pairs with the same name and type; null where a side has none. */
export function treeDifference(a: Uint8Array, b: Uint8Array): [TreeEntry | null, TreeEntry | null][] {
  const found: [TreeEntry | null, TreeEntry | null][] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const x = i < a.length ? boundsAt(a, i) : null;
    const y = j < b.length ? boundsAt(b, j) : null;
    const order = !x ? 1 : !y ? -1 : compare(a, x, b, y);
    if (order === 0 && x && y) {
      if (!sameRest(a, i, x.end, b, j)) found.push([entryAt(a, i, x), entryAt(b, j, y)]);
      i = x.end;
      j = y.end;
    } else if (order < 0 && x) {
      found.push([entryAt(a, i, x), null]);
      i = x.end;
    } else if (y) {
      found.push([null, entryAt(b, j, y)]);
      j = y.end;
    }
  }
  return found;
}

interface Bounds {
  readonly name: number;
  readonly nameEnd: number;
  readonly end: number;
  readonly tree: boolean;
}

function boundsAt(body: Uint8Array, at: number): Bounds {
  const name = body.indexOf(SPACE, at) + 1;
  const nameEnd = name === 0 ? -1 : body.indexOf(0, name);
  const end = nameEnd + 1 + HASH;
  if (nameEnd < 0 || name - at > 8 || end > body.length) throw new GitError("ECORRUPT", "malformed tree object");
  // "40000": five digits that begin with a 4; files have six.
  return { name, nameEnd, end, tree: name - at === 6 && body[at] === 0x34 };
}

/** Tree order: by bytes, with a slash after the name of a directory. */
function compare(a: Uint8Array, x: Bounds, b: Uint8Array, y: Bounds): number {
  const length = Math.min(x.nameEnd - x.name, y.nameEnd - y.name);
  for (let i = 0; i < length; i++) {
    const difference = (a[x.name + i] as number) - (b[y.name + i] as number);
    if (difference !== 0) return difference;
  }
  const next = (body: Uint8Array, { name, nameEnd, tree }: Bounds) =>
    name + length < nameEnd ? (body[name + length] as number) : tree ? SLASH : 0;
  const difference = next(a, x) - next(b, y);
  if (difference !== 0) return difference;
  return x.nameEnd - x.name - (y.nameEnd - y.name);
}

/** The whole entry is equal: mode, name and id. */
function sameRest(a: Uint8Array, from: number, end: number, b: Uint8Array, at: number): boolean {
  for (let i = 0; i < end - from; i++) if (a[from + i] !== b[at + i]) return false;
  return true;
}

function entryAt(body: Uint8Array, at: number, { name, nameEnd }: Bounds): TreeEntry {
  let mode = 0;
  for (let i = at; i < name - 1; i++) mode = mode * 8 + (body[i] as number) - 0x30;
  const entry = { mode, name: decode(body.subarray(name, nameEnd)), oid: oidFromBytes(body, nameEnd + 1) };
  if (isTreeMode(mode) !== (name - 1 - at === 5 && body[at] === 0x34)) {
    throw new GitError("ECORRUPT", "malformed tree object");
  }
  return entry;
}
