/** Writes the content of an object to stdout, in pieces if it is large. */

import type { Mailmap } from "../../../message/mailmap.ts";
import type { Oid } from "../../../object/oid.ts";
import type { ObjectHeader } from "../../../odb/object-database.ts";
import type { Repository } from "../../../repository.ts";
import { decode, encode } from "../../../text/bytes.ts";
import type { CommandIo } from "../../framework/command.ts";

export async function putObject(
  io: Pick<CommandIo, "out">,
  { odb, limits }: Repository,
  oid: Oid,
  { type, size }: ObjectHeader,
  mailmap?: Mailmap | null,
): Promise<void> {
  if (mailmap && (type === "commit" || type === "tag"))
    return io.out(mapped((await odb.need(oid, type)).body, mailmap));
  if (type !== "blob" || size <= limits.wholeObject / 4) return io.out((await odb.need(oid, type)).body);
  for await (const piece of await odb.stream(oid)) io.out(piece);
}

/** Maps names and addresses in the headers through the mailmap. */
function mapped(body: Uint8Array, mailmap: Mailmap): Uint8Array {
  const text = decode(body);
  const end = text.indexOf("\n\n") + 1 || text.length;
  const headers = text.slice(0, end).replace(/^(author|committer|tagger) (.*?) ?<(.*?)>/gm, (_, role, name, email) => {
    const known = mailmap.map(name, email);
    return `${role} ${known.name} <${known.email}>`;
  });
  return encode(headers + text.slice(end));
}
