/** Visits the ids in a commit, a tree or a tag as bytes in place: a pack has a million of them, and no string is created. */
import type { ObjectType } from "../odb/object-database.ts";
import { isGitlinkMode, isTreeMode } from "./file-mode.ts";

/** What a name is the name of. */
export const LINK_KINDS: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 4, tag: 8 };

/** `mode`: of an entry of a tree, else 0. The bytes are valid during the call. */
type VisitLink = (bytes: Uint8Array, at: number, kind: number, mode: number) => void;

const scratch = new Uint8Array(20);

/** False: malformed, and not all ids were visited. */
export function visitLinks(type: ObjectType, bytes: Uint8Array, from: number, end: number, visit: VisitLink): boolean {
  switch (type) {
    case "blob":
      return true;
    case "tree":
      return visitEntries(bytes, from, end, visit);
    case "tag":
      return visitTag(bytes, from, end, visit);
    case "commit":
      return visitCommit(bytes, from, end, visit);
    default:
      return type satisfies never;
  }
}

function visitEntries(bytes: Uint8Array, from: number, end: number, visit: VisitLink): boolean {
  for (let at = from; at < end; at += 20) {
    let mode = 0;
    for (; at < end && bytes[at] !== 0x20; at++) mode = mode * 8 + (bytes[at] as number) - 0x30;
    while (at < end && bytes[at] !== 0) at++;
    at++;
    if (at + 20 > end) return false;
    if (!isGitlinkMode(mode)) visit(bytes, at, isTreeMode(mode) ? LINK_KINDS.tree : LINK_KINDS.blob, mode);
  }
  return true;
}

const TREE = wordOf("tree ");
const PARENT = wordOf("parent ");
const OBJECT = wordOf("object ");
const TYPE = wordOf("type ");

function visitCommit(bytes: Uint8Array, from: number, end: number, visit: VisitLink): boolean {
  if (!visitLine(bytes, from, end, TREE, LINK_KINDS.tree, visit)) return false;
  let at = from + TREE.length + 41;
  while (visitLine(bytes, at, end, PARENT, LINK_KINDS.commit, visit)) at += PARENT.length + 41;
  // A line that begins as one of a parent and is none.
  return !beginsWith(bytes, at, end, PARENT);
}

function visitTag(bytes: Uint8Array, from: number, end: number, visit: VisitLink): boolean {
  const at = from + OBJECT.length + 41;
  if (!beginsWith(bytes, at, end, TYPE)) return false;
  for (const [type, kind] of Object.entries(LINK_KINDS))
    if (beginsWith(bytes, at + TYPE.length, end, wordOf(`${type}\n`)))
      return visitLine(bytes, from, end, OBJECT, kind, visit);
  return false;
}

function visitLine(
  bytes: Uint8Array,
  from: number,
  end: number,
  word: Uint8Array,
  kind: number,
  visit: VisitLink,
): boolean {
  const at = from + word.length;
  if (at + 41 > end || bytes[at + 40] !== 10 || !beginsWith(bytes, from, end, word)) return false;
  for (let i = 0; i < 20; i++) {
    const high = hexDigit(bytes[at + 2 * i] as number);
    const low = hexDigit(bytes[at + 2 * i + 1] as number);
    if (high < 0 || low < 0) return false;
    scratch[i] = high * 16 + low;
  }
  visit(scratch, 0, kind, 0);
  return true;
}

function beginsWith(bytes: Uint8Array, at: number, end: number, word: Uint8Array): boolean {
  if (at + word.length > end) return false;
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false;
  return true;
}

function wordOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}
