/**
 * A commit. Headers that are not the usual five (gpgsig, mergetag, encoding, what the future brings) are kept in their order, so
 * that a commit that is read and written again keeps its name.
 */
import { decode, encode } from "../bytes.ts";
import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../oid.ts";
import { corruptObject, formatHeader, type ObjectHeaderLine, parseHeaders } from "./object-headers.ts";
import { formatSignature, parseSignature, type Signature } from "./signature.ts";

export interface Commit {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  /** After the committer, "encoding" among them. */
  readonly extra?: readonly ObjectHeaderLine[];
  readonly message: string;
}

const ENCODING = encode("\nencoding ");
/** Nine commits of ten have these headers and no more. One expression takes them apart, where a walk would go line by line. */
const PLAIN = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author ([^\n]*)\ncommitter ([^\n]*)\n\n/;
const PARENT_LINE = "parent ".length + 40 + 1;

export function parseCommit(body: Uint8Array): Commit {
  const text = decode(body);
  const plain = PLAIN.exec(text);
  if (plain === null) return parseUnusual(body);
  const [headers, tree, parentLines = "", author = "", committer = ""] = plain;
  const parents: Oid[] = [];
  for (let end = PARENT_LINE; end <= parentLines.length; end += PARENT_LINE)
    parents.push(parentLines.slice(end - 41, end - 1) as Oid);
  return {
    tree: tree as Oid,
    parents,
    author: parseSignature(author),
    committer: parseSignature(committer),
    message: text.slice(headers.length),
  };
}

/** Whatever else a commit may have, or lack. */
function parseUnusual(body: Uint8Array): Commit {
  const text = decodeCommit(body);
  const { headers, messageAt } = parseHeaders(text);
  const tree = headers[0]?.name === "tree" ? parseOid(headers[0].value) : null;
  if (tree === null) throw corruptObject("commit", "no tree");
  const parents: Oid[] = [];
  let at = 1;
  for (; headers[at]?.name === "parent"; at++) {
    const parent = parseOid((headers[at] as ObjectHeaderLine).value);
    if (parent === null) throw corruptObject("commit", "bad parent");
    parents.push(parent);
  }
  const author = headers[at]?.name === "author" ? parseSignature((headers[at++] as ObjectHeaderLine).value) : NOBODY;
  const committer =
    headers[at]?.name === "committer" ? parseSignature((headers[at++] as ObjectHeaderLine).value) : NOBODY;
  const extra = headers.slice(at);
  return { tree, parents, author, committer, ...(extra.length > 0 ? { extra } : {}), message: text.slice(messageAt) };
}

export function serializeCommit({ tree, parents, author, committer, extra = [], message }: Commit): Uint8Array {
  const lines = [
    `tree ${tree}\n`,
    ...parents.map((parent) => `parent ${parent}\n`),
    `author ${formatSignature(author)}\n`,
    `committer ${formatSignature(committer)}\n`,
    ...extra.map(formatHeader),
    `\n${message}`,
  ];
  return encodeAs(lines.join(""), commitEncoding({ extra }));
}

/** As the header says; undefined: UTF-8. */
export function commitEncoding({ extra = [] }: Pick<Commit, "extra">): string | undefined {
  return extra.find(({ name }) => name === "encoding")?.value;
}

/** A header after the committer: "gpgsig". */
export function extraHeader({ extra = [] }: Pick<Commit, "extra">, name: string): string | undefined {
  return extra.find((header) => header.name === name)?.value;
}

const NOBODY: Signature = { name: "", email: "", seconds: 0, zone: "+0000" };

function decodeCommit(body: Uint8Array): string {
  const label = encodingOf(body);
  if (label === null) return decode(body);
  try {
    return new TextDecoder(label, { fatal: false, ignoreBOM: true }).decode(body);
  } catch {
    return decode(body);
  }
}

/** The value of the header, looked for in bytes before anything is decoded. */
function encodingOf(body: Uint8Array): string | null {
  for (let at = body.indexOf(10); at >= 0 && body[at + 1] !== 10; at = body.indexOf(10, at + 1)) {
    if (body[at + 1] !== ENCODING[1] || !ENCODING.every((byte, i) => body[at + i] === byte)) continue;
    const end = body.indexOf(10, at + 1);
    return decode(body.subarray(at + ENCODING.length, end < 0 ? body.length : end));
  }
  return null;
}

function encodeAs(text: string, label: string | undefined): Uint8Array {
  if (label === undefined || /^utf-?8$/i.test(label)) return encode(text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 255 || !/^(iso-?8859-?1|latin-?1|us-ascii|ascii)$/i.test(label))
      throw new GitError("EUNSUPPORTED", `cannot write a commit in encoding '${label}'`);
    bytes[i] = code;
  }
  return bytes;
}
