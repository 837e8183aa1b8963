/**
 * The TREE extension: which directories of the index equal a stored tree. Trees are immutable; a change to a path returns a new
 * one in which the directories above the path are invalid (`entries: -1`), and shares the rest.
 */

import type { GitLimits } from "../limits.ts";
import { type Oid, oidFromBytes, oidToBytes } from "../object/oid.ts";
import { concat, decode, encode } from "../text/bytes.ts";
import type { CacheTree } from "./index-file.ts";

interface MutableTree {
  entries: number;
  oid: Oid | null;
  children: Map<string, CacheTree>;
}

/** One directory's record: its name, its counts and, if valid, its id. */
interface TreeLine {
  readonly name: string;
  readonly entries: number;
  readonly children: number;
  readonly oid: Oid | null;
  /** Where the next one begins. */
  readonly end: number;
}

/** The record of the whole index, without parsing the rest; null: none. */
export function cachedRoot(body: Uint8Array): { readonly oid: Oid; readonly entries: number } | null {
  const line = readLine(body, 0);
  return line?.oid ? { oid: line.oid, entries: line.entries } : null;
}

/** Null if malformed: it is a cache, and git too continues without it. */
export function parseCacheTree(body: Uint8Array, limits: Pick<GitLimits, "treeDepth">): CacheTree | null {
  /** Open directories, the outermost first, with the number of children still to come. */
  const open: { node: MutableTree; left: number }[] = [];
  let root: MutableTree | null = null;
  let at = 0;
  do {
    const line = readLine(body, at);
    if (line === null) return null;
    at = line.end;
    const node: MutableTree = { entries: line.entries, oid: line.oid, children: new Map() };
    const parent = open.at(-1);
    if (parent) {
      if (parent.node.children.has(line.name)) return null;
      parent.node.children.set(line.name, node);
      parent.left--;
    }
    root ??= node;
    if (open.length >= limits.treeDepth) return null;
    open.push({ node, left: line.children });
    while (open.length > 0 && open.at(-1)?.left === 0) open.pop();
  } while (open.length > 0);
  return at === body.length ? root : null;
}

/** `name NUL entries SP children LF [20 bytes]`; byte by byte, since a large index has thousands. */
function readLine(body: Uint8Array, start: number): TreeLine | null {
  let at = start;
  let ascii = true;
  for (let byte = body[at]; byte !== 0; byte = body[++at]) {
    if (byte === undefined) return null;
    if (byte > 127) ascii = false;
  }
  const bytes = body.subarray(start, at);
  const name = ascii ? String.fromCharCode.apply(null, bytes as unknown as number[]) : decode(bytes);
  const isNegative = body[++at] === 0x2d;
  const first = readNumber(body, isNegative ? at + 1 : at, 0x20);
  const second = first && readNumber(body, first.end, 0x0a);
  if (!first || !second) return null;
  const entries = isNegative ? -first.value : first.value;
  if (entries < 0) return { name, entries, children: second.value, oid: null, end: second.end };
  if (second.end + 20 > body.length) return null;
  return { name, entries, children: second.value, oid: oidFromBytes(body, second.end), end: second.end + 20 };
}

/** One to nine digits, then `until`. */
function readNumber(body: Uint8Array, start: number, until: number): { value: number; end: number } | null {
  let value = 0;
  let at = start;
  for (; body[at] !== until; at++) {
    const digit = (body[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9 || at - start >= 9) return null;
    value = value * 10 + digit;
  }
  return at === start ? null : { value, end: at + 1 };
}

export function serializeCacheTree(tree: CacheTree): Uint8Array {
  const parts: Uint8Array[] = [];
  const waiting: { name: string; node: CacheTree }[] = [{ name: "", node: tree }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { name, node } = next;
    parts.push(encode(`${name}\0${node.entries} ${node.children.size}\n`));
    if (node.entries >= 0 && node.oid !== null) parts.push(oidToBytes(node.oid));
    const children = inFileOrder(node.children);
    for (let i = children.length - 1; i >= 0; i--) {
      const [childName, child] = children[i] as [string, CacheTree];
      waiting.push({ name: childName, node: child });
    }
  }
  return concat(parts);
}

/** git sorts subtrees by the length of their names, then by bytes. */
function inFileOrder(children: ReadonlyMap<string, CacheTree>): [string, CacheTree][] {
  const keyed = Array.from(children, ([name, node]) => ({ name, node, bytes: encode(name) }));
  keyed.sort((a, b) => a.bytes.length - b.bytes.length || compareBytes(a.bytes, b.bytes));
  return keyed.map(({ name, node }) => [name, node]);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  return 0;
}

/** As in git: invalidates every directory above a changed path, and drops a directory of the path's own name. */
export function invalidatePaths(tree: CacheTree, paths: Iterable<string>): CacheTree {
  /** Nodes created here, which may be changed in place. */
  const own = new Set<CacheTree>();
  const mine = (node: CacheTree): MutableTree => {
    if (own.has(node)) return node as MutableTree;
    const copy: MutableTree = { entries: -1, oid: null, children: new Map(node.children) };
    own.add(copy);
    return copy;
  };
  let root: CacheTree = tree;
  for (const path of paths) {
    let node = mine(root);
    root = node;
    let start = 0;
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", start)) {
      const name = path.slice(start, slash);
      const child = node.children.get(name);
      start = slash + 1;
      if (child === undefined) {
        start = -1;
        break;
      }
      const copy = mine(child);
      node.children.set(name, copy);
      node = copy;
    }
    if (start >= 0) node.children.delete(path.slice(start));
  }
  return root;
}
