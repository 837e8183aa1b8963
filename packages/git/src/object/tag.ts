/** Parses and serializes annotated tag objects. */

import type { ObjectType } from "../odb/object-database.ts";
import { decode, encode } from "../text/bytes.ts";
import { corruptObject, formatHeader, type ObjectHeaderLine, parseHeaders } from "./object-headers.ts";
import { type Oid, parseOid } from "./oid.ts";
import { formatSignature, parseSignature, type Signature } from "./signature.ts";

export interface Tag {
  readonly object: Oid;
  readonly type: ObjectType;
  readonly tag: string;
  /** Null: tags of git's first months have none. */
  readonly tagger: Signature | null;
  readonly extra?: readonly ObjectHeaderLine[];
  /** A signature is part of it. */
  readonly message: string;
}

const TYPES: readonly string[] = ["commit", "tree", "blob", "tag"];

export function parseTag(body: Uint8Array): Tag {
  const text = decode(body);
  const { headers, messageAt } = parseHeaders(text);
  const object = headers[0]?.name === "object" ? parseOid(headers[0].value) : null;
  const type = headers[1]?.name === "type" ? headers[1].value : "";
  if (object === null) throw corruptObject("tag", "no object");
  if (!TYPES.includes(type)) throw corruptObject("tag", `unknown type '${type}'`);
  if (headers[2]?.name !== "tag") throw corruptObject("tag", "no name");
  const tagger = headers[3]?.name === "tagger" ? parseSignature(headers[3].value) : null;
  const extra = headers.slice(tagger === null ? 3 : 4);
  return {
    object,
    type: type as ObjectType,
    tag: headers[2].value,
    tagger,
    ...(extra.length > 0 ? { extra } : {}),
    message: text.slice(messageAt),
  };
}

export function serializeTag({ object, type, tag, tagger, extra = [], message }: Tag): Uint8Array {
  const lines = [
    `object ${object}\n`,
    `type ${type}\n`,
    `tag ${tag}\n`,
    ...(tagger === null ? [] : [`tagger ${formatSignature(tagger)}\n`]),
    ...extra.map(formatHeader),
    `\n${message}`,
  ];
  return encode(lines.join(""));
}
