/**
 * The ids that an object references, parsed straight from its bytes. Submodules are not followed: their commits
 * are elsewhere.
 */
import type { ObjectType } from "../odb/object-database.ts";
import { decode } from "../text/bytes.ts";
import { isGitlinkMode, isTreeMode } from "./file-mode.ts";
import { parseHeaders } from "./object-headers.ts";
import { type Oid, parseOid } from "./oid.ts";
import { parseTree } from "./tree.ts";

interface ObjectLink {
  readonly oid: Oid;
  readonly type: ObjectType;
}

/** In their order. A malformed object has none. */
export function objectLinks(type: ObjectType, body: Uint8Array): ObjectLink[] {
  if (type === "blob") return [];
  if (type === "tree") return treeLinks(body);
  const { headers } = parseHeaders(decode(body));
  if (type === "tag") {
    const oid = parseOid(headers[0]?.value ?? "");
    const target = headers[1]?.value as ObjectType;
    return oid === null ? [] : [{ oid, type: target }];
  }
  const links: ObjectLink[] = [];
  for (const { name, value } of headers) {
    const oid = name === "tree" || name === "parent" ? parseOid(value) : null;
    if (oid === null) break;
    links.push({ oid, type: name === "tree" ? "tree" : "commit" });
  }
  return links;
}

function treeLinks(body: Uint8Array): ObjectLink[] {
  try {
    return parseTree(body)
      .filter(({ mode }) => !isGitlinkMode(mode))
      .map(({ mode, oid }) => ({ oid, type: isTreeMode(mode) ? "tree" : "blob" }));
  } catch {
    return [];
  }
}

/** Called for every entry of a tree that is an object here, without creating a list. False: not a tree. */
export function eachTreeLink(
  body: Uint8Array,
  each: (names: Uint8Array, at: number, isTree: boolean) => void,
): boolean {
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > body.length) return false;
    let mode = 0;
    for (let i = at; i < space; i++) mode = mode * 8 + (body[i] as number) - 0x30;
    if (!isGitlinkMode(mode)) each(body, end + 1, isTreeMode(mode));
    at = end + 21;
  }
  return true;
}
