/**
 * Parses and serializes commits. Headers other than the usual five (gpgsig, mergetag, encoding, future ones) are preserved in
 * order, so that a rewritten commit keeps its id.
 */
import { decode, encode } from "../text/bytes.ts";
import { isUtf8, reencode, UTF8 } from "../text/encodings.ts";
import { corruptObject, formatHeader, type ObjectHeaderLine, parseHeaders } from "./object-headers.ts";
import { type Oid, parseOid } from "./oid.ts";
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

/** Nine commits of ten have exactly these headers. One expression parses them faster than line by line. */
const PLAIN = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author ([^\n]*)\ncommitter ([^\n]*)\n\n/;
const PARENT_LINE = "parent ".length + 40 + 1;

/** Converted to `encoding` if possible; "": unchanged. The header still names the original encoding. */
export function parseCommit(body: Uint8Array, encoding = UTF8): Commit {
  const text = decode(body);
  const plain = encoding === UTF8 ? PLAIN.exec(text) : null;
  if (plain === null) return parseUnusual(reencoded(text, encoding) ?? text);
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

/** The general case: any other or missing headers. */
function parseUnusual(text: string): Commit {
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
  const author =
    headers[at]?.name === "author" ? parseSignature((headers[at++] as ObjectHeaderLine).value) : EMPTY_SIGNATURE;
  const committer =
    headers[at]?.name === "committer" ? parseSignature((headers[at++] as ObjectHeaderLine).value) : EMPTY_SIGNATURE;
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
  return encode(lines.join(""));
}

/** Returns the encoding that the header declares; undefined: UTF-8. */
export function commitEncoding({ extra = [] }: Pick<Commit, "extra">): string | undefined {
  return extra.find(({ name }) => name === "encoding")?.value;
}

const EMPTY_SIGNATURE: Signature = { name: "", email: "", seconds: 0, zone: "+0000" };

/** The whole commit converted to `encoding`, with the matching header. */
export function commitText(body: Uint8Array, encoding: string): string {
  const text = decode(body);
  const other = encoding === "" ? null : reencoded(text, encoding);
  if (other === null) return text;
  const header = isUtf8(encoding) ? "" : `\nencoding ${encoding}`;
  return other.replace(HEADER, (_, before: string) => `${before}${header}`);
}

const HEADER = /^((?:[^\n]+\n)*?[^\n]+)\nencoding ([^\n]*)/;

function reencoded(text: string, encoding: string): string | null {
  return reencode(text, HEADER.exec(text)?.[2] || UTF8, encoding);
}
